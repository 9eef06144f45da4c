/**
 * The audit log: who did what, when and why. The database numbers and chains the rows (`chain_audit`); nobody can
 * change one. What an operator wrote is in `audit_words`: the row has only its hash, so that words can be erased later
 * without breaking the chain.
 */
import { hash, randomBytes } from 'node:crypto'
import type { Tx } from '../kit/db.ts'
import type { Role } from '../kit/rights.ts'

export interface AuditEntry {
  operator: { id: string; role: Role }
  /** Such as `appeal.rule` or `look.proof`. */
  action: string
  /** The id of what it is about. */
  subject: string
  /** Ids, amounts and codes; never a name, an email or what somebody wrote. */
  detail?: Record<string, unknown>
  /** What the operator wrote. */
  words?: string | undefined
}

/** The actor of timers in the audit log. Nobody can sign in as it. */
export const CLOCK: AuditEntry['operator'] = { id: 'clock', role: 'viewer' }

/** Appends to the log in a transaction of the global schema. */
export async function appendAudit(
  tx: Tx,
  { operator, action, subject, detail = {}, words }: AuditEntry,
  { now }: { now: Date },
): Promise<void> {
  let words_hash: string | null = null
  if (words !== undefined && words !== '') {
    const salt = randomBytes(16).toString('hex')
    words_hash = hashOfWords(salt, words)
    await tx
      .insertInto('audit_words')
      .values({ words_hash, salt, words, created_at: now })
      .execute()
  }
  await tx
    .insertInto('audit_log')
    .values({
      at: now,
      operator_id: operator.id,
      role: operator.role,
      action,
      subject,
      detail: JSON.stringify(detail),
      words_hash,
    })
    .execute()
}

/** The salt keeps short words from being guessed by their hash. */
export const hashOfWords = (salt: string, words: string) => hash('sha256', `${salt}\n${words}`)
