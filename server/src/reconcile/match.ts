/**
 * Matches the processor's balance transactions against our ledger, line by line. Lines that agree to the cent are
 * recorded as matched and not checked again. Transactions missing in our ledger are settled now; unclaimed money goes
 * into suspense; the rest is reported as differences.
 */
import { sql } from 'kysely'
import { type Reader, runIn, type Tx } from '../kit/db.ts'
import { ApiError } from '../kit/errors.ts'
import { readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'
import { isLostTime } from '../kit/lost-time.ts'
import { postEntries } from '../ledger/journal.ts'
import { processorKeys } from '../ledger/movements.ts'
import { ProcessorSilent } from '../processor/ask.ts'
import type { Processor } from '../processor/client.ts'
import { heal, suspenseOfRefund } from './heal.ts'
import { feeEntries, natureOf, suspenseEntries, type Transaction } from './transactions.ts'

const PAGE_LENGTH = 500
/** By then, the code that caused a movement has posted it, or never will. */
const SUSPENSE_AFTER_MS = 15 * 60_000
/** After this many consecutive failures to reach the processor, a run stops querying it. */
const SILENCES_MAX = 3

export interface Difference {
  transaction: Transaction
  /** The processor's amount minus our ledger's. */
  differsCents: number
  /** The keys of our ledger lines for it; those lines are not reported as unmatched. */
  keys: string[]
}

export async function matchTransactions(
  background: Background,
  processor: Processor,
): Promise<Difference[]> {
  const { log } = background
  const differences: Difference[] = []
  let silences = 0
  let after: Transaction | undefined
  for (;;) {
    const page = await unmatched(background.db.reader, after)
    for (const transaction of page) {
      try {
        const mayAsk = silences < SILENCES_MAX
        const difference = await matchOne(background, processor, { transaction, mayAsk })
        if (difference !== undefined) differences.push(difference)
        if (mayAsk) silences = 0
      } catch (error) {
        if (error instanceof ApiError && error.code === 'unavailable') throw error
        if (error instanceof ProcessorSilent) silences += 1
        // One movement that can't be settled must not block the matching of all others.
        else log.error({ transaction_id: transaction.id, error }, 'could not settle a movement')
        const stand = await compare(background.db.shards.readers, transaction, undefined)
        differences.push(differenceOf(transaction, stand))
      }
    }
    if (page.length < PAGE_LENGTH) return differences
    after = page.at(-1)
  }
}

function unmatched(reader: Reader, after: Transaction | undefined): Promise<Transaction[]> {
  const place = sql<boolean>`(created_at, id) > (${after?.created_at}, ${after?.id})`
  return reader
    .selectFrom('balance_transactions')
    .select(['id', 'type', 'reporting_category', 'amount_cents', 'fee_cents', 'net_cents'])
    .select(['currency', 'source_id', 'created_at'])
    .where('matched_at', 'is', null)
    .$if(after !== undefined, (query) => query.where(place))
    .orderBy('created_at')
    .orderBy('id')
    .limit(PAGE_LENGTH)
    .execute()
}

/** Returns the remaining difference, if any. */
async function matchOne(
  background: Background,
  processor: Processor,
  { transaction, mayAsk }: { transaction: Transaction; mayAsk: boolean },
): Promise<Difference | undefined> {
  const { db, clock } = background
  const shards = db.shards.readers
  if (await cancelOut(background, transaction)) return undefined
  let suspenseId: string | undefined
  let stand = await compare(shards, transaction, suspenseId)
  if (agrees(transaction, stand)) return record(background, transaction, stand)
  if (!mayAsk) return differenceOf(transaction, stand)

  const claim = await heal(background, processor, transaction)
  if (claim === 'early') return undefined
  if (claim === 'nobodys' && natureOf(transaction) === 'refund')
    suspenseId = await suspenseOfRefund(processor, transaction.source_id!)
  stand = await compare(shards, transaction, suspenseId)
  if (agrees(transaction, stand)) return record(background, transaction, stand)

  if (stand.cents === transaction.amount_cents && stand.keys.length > 0)
    // The code that posts the amount does not know about a fee on such a movement.
    await post(background, feeEntries(transaction))
  else if (stand.keys.length === 0 && claim === 'nobodys' && (await isNobodys()))
    await post(background, transaction.currency === 'usd' ? suspenseEntries(transaction) : [])
  else return differenceOf(transaction, stand)

  stand = await compare(shards, transaction, suspenseId)
  return agrees(transaction, stand)
    ? record(background, transaction, stand)
    : differenceOf(transaction, stand)

  /** The code that caused a movement in lost time will never post it. */
  async function isNobodys(): Promise<boolean> {
    const ageMs = clock.now().getTime() - transaction.created_at.getTime()
    return ageMs >= SUSPENSE_AFTER_MS || isLostTime(db.shards.global.reader, transaction.created_at)
  }
}

/**
 * A debit is listed before it has succeeded; if it fails, a second line reverses it. The two cancel out, and our ledger
 * has neither.
 */
async function cancelOut(
  { db, clock }: Background,
  { id, type, net_cents, source_id }: Transaction,
): Promise<boolean> {
  const other = { payment: 'payment_failure_refund', payment_failure_refund: 'payment' }[type]
  if (other === undefined || source_id === null) return false
  return db.transaction(async (tx) => {
    const pair = await tx
      .selectFrom('balance_transactions')
      .select(['id', 'matched_at'])
      .where('source_id', '=', source_id)
      .where(({ or, eb, and }) =>
        or([eb('id', '=', id), and([eb('type', '=', other), eb('net_cents', '=', -net_cents)])]),
      )
      .orderBy('id')
      .forUpdate()
      .execute()
    // The run for the other line has already matched both.
    if (pair.some((line) => line.id === id && line.matched_at !== null)) return true
    const [one, two] = pair.filter(({ matched_at }) => matched_at === null)
    if (one === undefined || two === undefined) return false
    for (const [own, by] of [
      [one.id, two.id],
      [two.id, one.id],
    ] as const)
      await tx
        .updateTable('balance_transactions')
        .set({ matched_at: clock.now(), cancelled_by: by })
        .where('id', '=', own)
        .execute()
    return true
  })
}

async function post(
  { db, clock }: Background,
  entries: Parameters<typeof postEntries>[1],
): Promise<void> {
  await db.shards.of(0).transaction((tx) => postEntries(tx, entries, { now: clock.now() }))
}

interface Stand {
  keys: string[]
  /** The same keys, for each shard in the order of `shards.all`. */
  keysByShard: string[][]
  cents: number
}

const agrees = ({ net_cents }: Transaction, { keys, cents }: Stand) =>
  cents === net_cents && (keys.length > 0 || net_cents === 0)

const differenceOf = (transaction: Transaction, { keys, cents }: Stand): Difference => ({
  transaction,
  differsCents: transaction.net_cents - cents,
  keys,
})

/** Our ledger's total for a movement, and the keys of its lines. */
async function compare(
  shards: readonly Reader[],
  transaction: Transaction,
  suspenseId: string | undefined,
): Promise<Stand> {
  const about = await readShards(shards, (shard) => findSubject(shard, transaction))
  const keys = processorKeys({
    balanceTransactionId: transaction.id,
    ...about.find((subject) => Object.values(subject).some((id) => id !== undefined)),
    suspenseId,
  })
  return addStands(await readShards(shards, (shard) => standOfShard(shard, transaction, keys)))
}

/** A movement's lines can be in several shards: a payment in suspense is in another one than its owner. */
const addStands = (parts: readonly Omit<Stand, 'keysByShard'>[]): Stand => ({
  keys: parts.flatMap(({ keys }) => keys),
  keysByShard: parts.map(({ keys }) => keys),
  cents: parts.reduce((sum, { cents }) => sum + cents, 0),
})

async function standOfShard(
  shard: Reader,
  transaction: Transaction,
  keys: string[],
): Promise<Omit<Stand, 'keysByShard'>> {
  const lines = await shard
    .selectFrom('transfers')
    .select(['key', signedCents.as('cents')])
    .where('key', 'in', keys)
    .where('mode', '=', 'live')
    .where(touchesProcessor)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('processor_matches')
            .select('processor_matches.key')
            .whereRef('processor_matches.key', '=', 'transfers.key')
            .where('balance_transaction_id', '<>', transaction.id),
        ),
      ),
    )
    .groupBy('key')
    .execute()
  return {
    keys: lines.map(({ key }) => key),
    cents: lines.reduce((sum, { cents }) => sum + cents, 0),
  }
}

/** The net sum of lines on the processor's balance: in minus out. */
export const signedCents = sql<number>`
  sum(case debit when 'asset:processor_balance' then amount_cents else -amount_cents end)::bigint`
/** Must match the condition of the index transfers_processor. */
export const touchesProcessor = sql<boolean>`
  (debit = 'asset:processor_balance' or credit = 'asset:processor_balance')`

/** Finds the deposit, refund or payout that a movement belongs to. */
async function findSubject(reader: Reader, transaction: Transaction) {
  const { source_id: sourceId, amount_cents: cents } = transaction
  if (sourceId === null) return {}
  switch (natureOf(transaction)) {
    case 'deposit': {
      const deposits = reader.selectFrom('deposits').select('id')
      const deposit = await deposits.where('charge_id', '=', sourceId).executeTakeFirst()
      return { depositId: deposit?.id }
    }
    case 'refund': {
      const refunds = reader.selectFrom('refunds').select('id')
      const refund = await refunds.where('processor_refund_id', '=', sourceId).executeTakeFirst()
      return cents < 0 ? { refundId: refund?.id } : { failedRefundId: refund?.id }
    }
    case 'transfer': {
      const payouts = reader.selectFrom('payouts').select('id')
      const payout = await payouts.where('transfer_id', '=', sourceId).executeTakeFirst()
      return { payoutId: payout?.id }
    }
    default:
      return {}
  }
}

async function record(
  { db, clock }: Background,
  { id }: Transaction,
  { keysByShard }: Stand,
): Promise<undefined> {
  const { global, all } = db.shards
  await global.transaction(async (tx) => {
    for (const [i, keys] of keysByShard.entries())
      if (keys.length > 0)
        await runIn(all[i]!, { db: global, tx }, (own) => writeMatches(own, { id, keys }))
    await tx
      .updateTable('balance_transactions')
      .set({ matched_at: clock.now() })
      .where('id', '=', id)
      .where('matched_at', 'is', null)
      .execute()
  })
}

async function writeMatches(tx: Tx, { id, keys }: { id: string; keys: string[] }): Promise<void> {
  await tx
    .insertInto('processor_matches')
    .values(keys.map((key) => ({ key, balance_transaction_id: id })))
    .onConflict((conflict) => conflict.column('key').doNothing())
    .execute()
}
