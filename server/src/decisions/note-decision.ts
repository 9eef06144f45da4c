import type { Tx } from '../kit/db.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import { appendAudit } from '../operators/audit.ts'
import type { By } from './decision.ts'
import type { DecisionRow } from './queries.ts'

/** What the audit log says about a decision. */
interface Noted {
  action: string
  row: Pick<DecisionRow, 'id' | 'subject' | 'amount_cents'>
  /** What the operator wrote. */
  words?: string
  detail?: Record<string, unknown>
}

/** Appends to the audit log in a transaction of its own. */
export const noteDecision = (
  { db, clock }: Pick<OperatorBackground, 'db' | 'clock'>,
  operator: By,
  noted: Noted,
): Promise<void> =>
  db.shards.global.transaction((tx) => noteDecisionIn(tx, operator, noted, clock.now()))

/** The same in a transaction of the global schema. */
export const noteDecisionIn = (
  tx: Tx,
  operator: By,
  { action, row, words, detail = {} }: Noted,
  now: Date,
): Promise<void> =>
  appendAudit(
    tx,
    {
      operator,
      action,
      subject: row.subject,
      detail: { decision_id: row.id, amount_cents: row.amount_cents, ...detail },
      words,
    },
    { now },
  )
