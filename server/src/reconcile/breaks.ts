/**
 * Breaks between our books and the processor's. A break is opened when first found, updated by each run that finds it
 * again, and closed by the run that no longer does. An operator may explain one: it stays open until it is gone, but
 * raises no alarm meanwhile.
 */
import { sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'

export type BreakKind =
  | 'unmatched_transaction'
  | 'unmatched_line'
  | 'wrong_amount'
  | 'balance_differs'
  | 'suspense'
  | 'own_funds'
  | 'stuck'

export interface Finding {
  kind: BreakKind
  subject: string
  amountCents: number
  detail: string
}

export interface MoneyBreak {
  id: number
  kind: BreakKind
  subject: string
  amount_cents: number
  detail: string
  opened_at: Date
  explained_by: string | null
  explanation: string | null
}

/** Oldest first. */
export async function openBreaks(reader: Reader): Promise<MoneyBreak[]> {
  const rows = await selectOpen(reader).orderBy('opened_at').orderBy('id').execute()
  return rows as MoneyBreak[]
}

export async function findOpenBreak(reader: Reader, id: number): Promise<MoneyBreak | undefined> {
  const row = await selectOpen(reader).where('id', '=', id).executeTakeFirst()
  return row as MoneyBreak | undefined
}

const selectOpen = (reader: Reader) =>
  reader
    .selectFrom('money_breaks')
    .select(['id', 'kind', 'subject', 'amount_cents', 'detail', 'opened_at'])
    .select(['explained_by', 'explanation'])
    .where('closed_at', 'is', null)

/** Syncs the breaks with a run's findings: opens new ones and closes those that are gone. */
export async function syncBreaks(
  tx: Tx,
  { findings, now }: { findings: Finding[]; now: Date },
): Promise<{ opened: Finding[]; closed: number }> {
  const opened: Finding[] = []
  for (const finding of findings) if (await note(tx, finding, now)) opened.push(finding)
  const found = findings.map(({ kind, subject }) => `${kind} ${subject}`)
  const closed = await tx
    .updateTable('money_breaks')
    .set({ closed_at: now })
    .where('closed_at', 'is', null)
    .where(sql<boolean>`kind || ' ' || subject <> all(${found}::text[])`)
    .returning('id')
    .execute()
  return { opened, closed: closed.length }
}

/** Returns whether the break is new. An explanation covers one amount: a different amount clears it. */
async function note(
  tx: Tx,
  { kind, subject, amountCents, detail }: Finding,
  now: Date,
): Promise<boolean> {
  const { is_new } = await tx
    .insertInto('money_breaks')
    .values({ kind, subject, amount_cents: amountCents, detail, opened_at: now, seen_at: now })
    .onConflict((conflict) =>
      conflict
        .columns(['kind', 'subject'])
        .where('closed_at', 'is', null)
        .doUpdateSet({
          explained_by: sql`case when money_breaks.amount_cents = excluded.amount_cents
                                 then money_breaks.explained_by end`,
          explanation: sql`case when money_breaks.amount_cents = excluded.amount_cents
                                then money_breaks.explanation end`,
          amount_cents: amountCents,
          detail,
          seen_at: now,
        }),
    )
    .returning(sql<boolean>`xmax = 0`.as('is_new'))
    .executeTakeFirstOrThrow()
  return is_new
}

/** Returns the explained break; undefined if there is no such break, or it is closed. */
export async function explainBreak(
  tx: Tx,
  { breakId, words, operator }: { breakId: number; words: string; operator: string },
): Promise<Pick<MoneyBreak, 'kind' | 'subject' | 'amount_cents'> | undefined> {
  const row = await tx
    .updateTable('money_breaks')
    .set({ explained_by: operator, explanation: words })
    .where('id', '=', breakId)
    .where('closed_at', 'is', null)
    .returning(['kind', 'subject', 'amount_cents'])
    .executeTakeFirst()
  return row as Pick<MoneyBreak, 'kind' | 'subject' | 'amount_cents'> | undefined
}
