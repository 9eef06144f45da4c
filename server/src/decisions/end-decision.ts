import type { Db, Tx } from '../kit/db.ts'
import { decisionNotWaiting } from './errors.ts'
import { type DecisionRow, findRow } from './queries.ts'

type Changes = Partial<{
  state: 'agreed' | 'declined' | 'withdrawn' | 'lapsed' | 'done' | 'failed'
  second_by: string
  second_at: Date
  ended_at: Date
  result: string
}>

/** Moves a decision on. The update is guarded: of two operators who act at once, one is first. */
export const endDecision = (home: Db, row: DecisionRow, changes: Changes): Promise<void> =>
  home.transaction((tx) => endDecisionIn(tx, row, changes))

/** The same in a transaction of the decision's schema. */
export async function endDecisionIn(tx: Tx, row: DecisionRow, changes: Changes): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('operator_decisions')
    .set(changes)
    .where('id', '=', row.id)
    .where('state', '=', row.state)
    .executeTakeFirst()
  if (numUpdatedRows > 0n) return
  const now = await findRow(tx, row.id)
  throw decisionNotWaiting({ state: now?.state ?? 'gone' })
}
