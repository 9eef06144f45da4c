import type { Background } from '../kit/job.ts'
import { answered } from '../processor/ask.ts'
import type { BalanceTransaction } from '../processor/client-objects.ts'
import type { Processor } from '../processor/client.ts'

/** How far a run goes back behind the last one: its clock and ours differ, and some lines appear late. */
const OVERLAP_MS = 3_600_000
/** How far the daily run goes back. */
const DEEP_MS = 35 * 86_400_000

/**
 * Writes down the processor's list of what moved its balance of ours, from where the last whole run has ended. A page
 * that does not come ends the run, and the next one begins at the same place. Answers what it has written, newest
 * first, from the given moment on.
 */
export async function mirrorTransactions(
  { db, clock }: Background,
  processor: Processor,
  { isDeep, since }: { isDeep: boolean; since: Date },
): Promise<BalanceTransaction[]> {
  const now = clock.now()
  const last = await db.reader
    .selectFrom('reconciliations')
    .select('at')
    .orderBy('at', 'desc')
    .limit(1)
    .executeTakeFirst()
  const backMs = isDeep ? DEEP_MS : OVERLAP_MS
  const createdFrom = new Date(last === undefined ? 0 : last.at.getTime() - backMs)

  const recent: BalanceTransaction[] = []
  for await (const page of processor.listBalanceTransactions({ createdFrom })) {
    // Other balances of ours there, as for issuing cards, are not the one that is paid from.
    const transactions = answered(page).filter(({ balanceType }) => balanceType === 'payments')
    recent.push(...transactions.filter(({ createdAt }) => createdAt >= since))
    if (transactions.length === 0) continue
    await db.transaction((tx) =>
      tx
        .insertInto('balance_transactions')
        .values(
          transactions.map((transaction) => ({
            id: transaction.id,
            type: transaction.type,
            reporting_category: transaction.reportingCategory,
            amount_cents: transaction.amountCents,
            fee_cents: transaction.feeCents,
            net_cents: transaction.netCents,
            currency: transaction.currency,
            source_id: transaction.sourceId ?? null,
            created_at: transaction.createdAt,
            available_on: transaction.availableAt,
            mirrored_at: now,
          })),
        )
        .onConflict((conflict) =>
          conflict
            .column('id')
            .doUpdateSet((eb) => ({ available_on: eb.ref('excluded.available_on') }))
            .whereRef('balance_transactions.available_on', '<>', 'excluded.available_on'),
        )
        .execute(),
    )
  }
  return recent
}
