/**
 * Rule on appeals in test mode, which no operator reads: a day after the agent's reply, as `context.sim` says.
 *
 *   called by   the clock, a day after the reply; an agent that moves its own clock
 *   moves       as in rule-on-appeal.ts
 *   money       as in rule-on-appeal.ts, in play money
 *   event       task.dispute_resolved
 */
import type { Config } from '../config.ts'
import { ruleOnAppeal } from '../disputes/rule-on-appeal.ts'
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import type { Rehearsal } from '../tasks/personas.ts'

/** Long enough to be a noticeable wait, short enough for one call of POST /test/clock/advance. */
export const RULING_AFTER_MS = 86_400_000

const NOTE =
  'In test mode there is no operator: context.sim.ruling decides, or the dispute is upheld.'

export const rule = sweep({
  name: 'rehearsal.rule',
  isTest: true,

  due: ({ db, clock }, limit) =>
    answeredAppeals(db.reader, { now: clock.now() })
      .orderBy('appeals.answered_at')
      .limit(limit)
      .execute(),

  move: ({ db, clock, config }, rows) =>
    db.transaction((tx) =>
      ruleOnTestAppeals(tx, { appealIds: rows.map(({ id }) => id), config, now: clock.now() }),
    ),
})

/** Rules on those of the appeals that are still pending, and returns how many. */
export async function ruleOnTestAppeals(
  tx: Tx,
  {
    appealIds,
    config,
    now,
  }: { appealIds: string[]; config: Pick<Config, 'NOT_POSSIBLE_PERCENT'>; now: Date },
): Promise<number> {
  const due = await answeredAppeals(tx, { now })
    .select('tasks.rehearsal')
    .where('appeals.id', 'in', appealIds)
    .orderBy('appeals.id')
    .forUpdate('tasks')
    .skipLocked()
    .execute()
  for (const { id, rehearsal } of due) {
    const { ruling = 'upheld' } = (rehearsal ?? {}) as Partial<Rehearsal>
    await ruleOnAppeal(tx, { id, ruling, note: NOTE, operator: 'of test mode', config, now })
  }
  return due.length
}

const answeredAppeals = (db: Pick<Tx, 'selectFrom'>, { now }: { now: Date }) =>
  db
    .selectFrom('appeals')
    .innerJoin('tasks', 'tasks.id', 'appeals.task_id')
    .select('appeals.id')
    .where('appeals.ruling', 'is', null)
    .where('appeals.agent_answer', 'is not', null)
    .where('appeals.answered_at', '<=', new Date(now.getTime() - RULING_AFTER_MS))
    .where('tasks.mode', '=', 'test')
