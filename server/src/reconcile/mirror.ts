import type { Background } from '../kit/job.ts'
import { answered } from '../processor/ask.ts'
import type { BalanceTransaction } from '../processor/client-objects.ts'
import type { Processor } from '../processor/client.ts'

/** How far a run overlaps the last one: the processor's clock differs from ours, and some lines appear late. */
const OVERLAP_MS = 3_600_000
/** How far the daily run goes back. */
const DEEP_MS = 35 * 86_400_000

/**
 * Mirrors the processor's list of balance transactions from the end of the last complete run. A page that fails ends
 * the run, and the next run starts at the same place. Returns the transactions created at or after `since`, newest
 * first.
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
    // Skip our other balances there, such as for issuing cards: payouts are not made from them.
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
