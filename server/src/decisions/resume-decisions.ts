/**
 * Finish decisions that are agreed but not carried out: their process died, or the processor had not said what came of
 * a request.
 *
 *   called by   the clock, 10 minutes after the decision was agreed, then every 10 minutes
 *   moves       a decision: agreed → done | failed
 *   money       what the kind does
 *   event       what the kind records
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { type Background, sweep } from '../kit/job.ts'
import type { Role } from '../kit/rights.ts'
import { carryOut } from './carry-out.ts'
import { DECISION_KINDS } from './kinds.ts'
import type { DecisionRow } from './queries.ts'
import { isSecondLook } from './second-look.ts'

/** Longer than any request of an operator: its own process is no longer carrying it out. */
const AFTER_MS = 600_000

const dueAt = sql<Date>`coalesce(resume_at, second_at + interval '10 minutes', proposed_at + interval '10 minutes')`

const due = async ({ db, clock }: Background, limit: number) =>
  db.reader
    .selectFrom('operator_decisions')
    .select('id')
    .where('state', '=', 'agreed')
    .where('proposed_at', '<=', new Date(clock.now().getTime() - AFTER_MS))
    .where(dueAt, '<=', clock.now())
    .orderBy('proposed_at')
    .limit(limit)
    .execute()

async function move(background: Background, rows: { id: string }[]): Promise<number> {
  const { db, clock, log } = background
  let moved = 0
  for (const { id } of rows) {
    const row = await db.transaction((tx) => claim(tx, id, clock.now()))
    const kind = DECISION_KINDS.find((one) => one.kind === row?.kind)
    if (row === undefined || kind === undefined) continue
    moved += 1
    const by = { id: row.proposed_by, role: await roleOf(background, row.proposed_by) }
    // If the kind refuses, the decision has failed: carryOut records that, and the queue shows it.
    await carryOut(background, kind, { row, home: db, by }, { isResumed: true }).catch(
      (error: unknown) => log.warn({ decision_id: id, error }, 'a resumed decision has failed'),
    )
  }
  return moved
}

/** Makes sure that only one of several processes finishes the decision. */
const claim = (tx: Tx, id: string, now: Date): Promise<DecisionRow | undefined> =>
  tx
    .updateTable('operator_decisions')
    .set({ resume_at: new Date(now.getTime() + AFTER_MS) })
    .where('id', '=', id)
    .where('state', '=', 'agreed')
    .where(dueAt, '<=', now)
    .returningAll()
    .executeTakeFirst()

async function roleOf({ db }: Background, operatorId: string): Promise<Role> {
  const operator = await db.shards.global.reader
    .selectFrom('operators')
    .select('role')
    .where('id', '=', operatorId)
    .executeTakeFirst()
  // The system user of the shell has no account.
  return (operator?.role as Role | undefined) ?? 'admin'
}

export const resumeDecisions = sweep({ name: 'decisions.resume', due, move })

/** The decisions about switches, limits and our own money. */
export const resumeGlobalDecisions = sweep({
  name: 'decisions.resume-global',
  isGlobal: true,
  due: (background, limit) =>
    isSecondLook(background) ? Promise.resolve([]) : due(background, limit),
  move,
})
