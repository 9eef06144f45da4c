/**
 * Rule on an appeal.
 *
 *   called by   an operator with the right `rule`
 *   moves       see disputes/rule-on-appeal.ts
 *   money       protection fund → worker, wallet → protection fund
 *   event       task.dispute_resolved
 */
import { z } from 'zod'
import { appealNotAnswered, appealNotFound, appealRuled } from '../../disputes/errors.ts'
import { ruleOnAppeal } from '../../disputes/rule-on-appeal.ts'
import { partsOf } from '../../disputes/rulings.ts'
import { shardOf } from '../../kit/ids.ts'
import type { OperatorBackground } from '../../kit/operator-background.ts'
import { appealDebit, goodwill } from '../../ledger/movements.ts'
import { disputeOf, RULINGS } from '../../tasks/dispute-view.ts'
import { assignmentsOf } from '../../tasks/queries.ts'
import { decision, type Effect } from '../decision.ts'
import { linesOf } from '../lines.ts'

export const ruleAppeal = decision({
  kind: 'appeal.rule',
  right: 'rule',
  title: 'Rule on an appeal',
  input: z.object({ ruling: z.enum(RULINGS) }),

  preview: (background, { subject, input }) => effectOf(background, subject, input.ruling),

  async carryOut({ db, clock, config }, { subject, input, reason, operator }) {
    const { appeal, task } = await db.shards.at(subject).transaction((tx) =>
      ruleOnAppeal(tx, {
        id: subject,
        ruling: input.ruling,
        note: reason,
        operator,
        config,
        now: clock.now(),
      }),
    )
    return { appeal_id: appeal.id, task_id: task.id, ruling: input.ruling }
  },

  async findDone({ db }, { subject, input: { ruling }, operator }) {
    const appeal = await db.shards
      .at(subject)
      .reader.selectFrom('appeals')
      .select(['id', 'task_id'])
      .where('id', '=', subject)
      .where('ruling', '=', ruling)
      .where('ruled_by', '=', `operator ${operator}`)
      .executeTakeFirst()
    return appeal && { appeal_id: appeal.id, task_id: appeal.task_id, ruling }
  },
})

/** What a ruling pays, and from where; the worker's share comes out of the protection fund first. */
async function effectOf(
  { db, config }: OperatorBackground,
  appealId: string,
  ruling: (typeof RULINGS)[number],
): Promise<Effect> {
  const { reader } = db.shards.at(appealId)
  const appeal = await reader
    .selectFrom('appeals')
    .selectAll()
    .where('id', '=', appealId)
    .executeTakeFirst()
  if (appeal === undefined) throw appealNotFound()
  if (appeal.ruling !== null) throw appealRuled({ ruling: appeal.ruling })
  if (appeal.agent_answer === null)
    throw appealNotAnswered({ agent_until: appeal.agent_until.toISOString() })
  const task = await reader
    .selectFrom('tasks')
    .selectAll()
    .where('id', '=', appeal.task_id)
    .executeTakeFirstOrThrow()
  const slots = (await assignmentsOf(reader, [task])).filter(
    ({ id }) => id === appeal.assignment_id,
  )
  const { touches_trust } = await disputeOf(reader, appeal)
  const { gross_cents, net_cents } = partsOf({ task, slots, ruling, config })[0]!
  const worker = slots[0]!.worker_id
  const of = {
    mode: task.mode,
    shard: shardOf(task.id),
    taskId: task.id,
    disputeId: appeal.dispute_id,
    workerId: worker,
  }
  const entries =
    ruling === 'upheld'
      ? []
      : [
          goodwill({ ...of, amountCents: net_cents }),
          ...(task.funding === 'free'
            ? []
            : [appealDebit({ ...of, agentId: task.agent_id, amountCents: gross_cents })]),
        ]
  return {
    // The limit is about the whole share: a split moves half of it, but decides about all of it.
    amount_cents: ruling === 'upheld' || task.mode === 'test' ? 0 : slots[0]!.pay_cents,
    lines: await linesOf(db.shards, entries),
    tells: [
      {
        who: 'worker',
        id: worker,
        what: 'the decision and your reason: in the app, with a push message or an email',
      },
      { who: 'agent', id: task.agent_id, what: 'task.dispute_resolved: webhook' },
    ],
    changes:
      ruling === 'upheld'
        ? [touches_trust ? 'The dispute still counts' : 'Trust is not affected']
        : [touches_trust ? 'The dispute no longer counts' : 'The dispute never counted'],
    undo: null,
  }
}
