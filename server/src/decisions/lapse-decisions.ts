/**
 * End decisions that no second operator agreed to in time. The matter is open again.
 *
 *   called by   the clock, DECISION_HOURS after the decision was proposed
 *   moves       a decision: waiting → lapsed
 *   money       none
 *   event       none
 */
import { type Background, sweep } from '../kit/job.ts'
import { CLOCK } from '../operators/audit.ts'
import { isSecondLook } from './second-look.ts'
import { noteDecision } from './note-decision.ts'

const due = async ({ db, clock }: Background, limit: number) =>
  db.reader
    .selectFrom('operator_decisions')
    .select('id')
    .where('state', '=', 'waiting')
    .where('expires_at', '<=', clock.now())
    .orderBy('expires_at')
    .limit(limit)
    .execute()

/** Somebody may have agreed, declined or withdrawn it in the meantime. */
async function move(background: Background, rows: { id: string }[]): Promise<number> {
  const now = background.clock.now()
  const lapsed = await background.db.transaction((tx) =>
    tx
      .updateTable('operator_decisions')
      .set({ state: 'lapsed', ended_at: now })
      .where(
        'id',
        'in',
        rows.map(({ id }) => id),
      )
      .where('state', '=', 'waiting')
      .where('expires_at', '<=', now)
      .returningAll()
      .execute(),
  )
  for (const row of lapsed)
    await noteDecision(background, CLOCK, { action: `${row.kind}.lapse`, row })
  return lapsed.length
}

export const lapseDecisions = sweep({ name: 'decisions.lapse', due, move })

/** The decisions about switches, limits and our own money. */
export const lapseGlobalDecisions = sweep({
  name: 'decisions.lapse-global',
  isGlobal: true,
  due: (background, limit) =>
    isSecondLook(background) ? Promise.resolve([]) : due(background, limit),
  move,
})
