/**
 * Decide a held dispute.
 *
 *   called by   an operator with the right `rule`
 *   moves       see disputes/decide-held-dispute.ts
 *   money       uphold: escrow → wallet; reject: escrow → workers
 *   event       task.disputed, or task.completed and task.dispute_resolved
 */
import { z } from 'zod'
import { decideHeldDispute, planHeldDispute } from '../../disputes/decide-held-dispute.ts'
import { decision } from '../decision.ts'
import { linesOf } from '../lines.ts'

export const decideDispute = decision({
  kind: 'dispute.decide',
  right: 'rule',
  title: 'Decide a held dispute',
  input: z.object({ verdict: z.enum(['uphold', 'reject']) }),

  async preview({ db, clock, config }, { subject, input: { verdict } }) {
    const { reader } = db.shards.at(subject)
    const plan = { id: subject, verdict, note: '', operator: '', config, now: clock.now() }
    const { task, dispute, disputed, entries } = await planHeldDispute(reader, plan)
    const isLive = task.mode === 'live'
    return {
      // The limit is about the whole budget, as for the database.
      amount_cents: isLive ? task.budget_cents : null,
      lines: await linesOf(db.shards, entries),
      tells: [
        ...[...new Set(disputed.map(({ worker_id }) => worker_id))].map((id) => ({
          who: 'worker' as const,
          id,
          what: 'the decision and your reason: in the app, with a push message or an email',
        })),
        { who: 'agent', id: task.agent_id, what: 'the decision and your reason: webhook' },
      ],
      changes: [
        verdict === 'uphold'
          ? `The dispute takes effect${dispute.touches_trust ? ', and counts against trust' : ''}`
          : 'The dispute never counts',
        ...(verdict === 'uphold' ? ['The worker can appeal for 72 hours'] : []),
        ...(entries.length === 0
          ? ['The task awaits its verdict again with its other proofs']
          : []),
      ],
      undo: verdict === 'uphold' ? 'The worker can appeal, and an operator then rules' : null,
    }
  },

  async carryOut({ db, clock, config }, { subject, input, reason, operator }) {
    const { dispute, task } = await db.shards.at(subject).transaction((tx) =>
      decideHeldDispute(tx, {
        id: subject,
        verdict: input.verdict,
        note: reason,
        operator,
        config,
        now: clock.now(),
      }),
    )
    return {
      dispute: { id: dispute.id, status: dispute.status },
      task: { id: task.id, status: task.status },
    }
  },

  async findDone({ db }, { subject, operator }) {
    const { reader } = db.shards.at(subject)
    const dispute = await reader
      .selectFrom('disputes')
      .select(['id', 'status', 'task_id'])
      .where('id', '=', subject)
      .where('decided_by', '=', `operator ${operator}`)
      .executeTakeFirst()
    if (dispute === undefined) return undefined
    const task = await reader
      .selectFrom('tasks')
      .select(['id', 'status'])
      .where('id', '=', dispute.task_id)
      .executeTakeFirstOrThrow()
    return { dispute: { id: dispute.id, status: dispute.status }, task }
  },
})
