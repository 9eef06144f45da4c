/**
 * Withdraw the operator's own money from the processor's balance to the operator's bank.
 *
 *   called by   an operator, `server ops withdraw`; the event withdrawal.send, the clock
 *   moves       a withdrawal: (none) → requested → sent | failed
 *   money       operator → processor, posted once the processor lists the balance transaction
 *   event       withdrawal.send (ours)
 */
import { sql } from 'kysely'
import type { Db, Reader, Tx } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { formatCents } from '../kit/money.ts'
import { readHoldings } from '../ledger/holdings.ts'
import { answeredIfThere, openProcessor } from '../processor/ask.ts'
import { beginAttempt, endAttempt, type Sent, tryAttempt } from '../processor/attempts.ts'
import type { BankPayout } from '../processor/client-objects.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import { nextLook } from '../processor/next-look.ts'
import type { Outcome } from '../processor/outcome.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'

/** An arbitrary advisory lock key; nothing else in this database may use it. */
const LOCK = 5_640_302_117_420
/** Gives a job time to send before the timer requests it again. */
const ASK_AGAIN_MS = 10 * 60_000

/** Why the money can't be withdrawn, worded for the operator. */
export class NotOurs extends Error {}

/** Allows only what remains after everyone else's money is covered, and nothing while anything is unclear. */
export async function requestWithdrawal(
  { db, tx }: { db: Db; tx: Tx },
  { amountCents, operator, now }: { amountCents: number; operator: string; now: Date },
): Promise<string> {
  if (!Number.isSafeInteger(amountCents) || amountCents <= 0)
    throw new NotOurs('The amount must be a whole number of cents above 0')
  await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
  const { is_on, reason } = await tx
    .selectFrom('platform_switches')
    .select(['is_on', 'reason'])
    .where('name', '=', 'withdrawals')
    .executeTakeFirstOrThrow()
  if (!is_on) throw new NotOurs(`Withdrawals are turned off: ${reason}`)

  const free = await freeOf(db, tx)
  if (free < amountCents)
    throw new NotOurs(
      `${formatCents(amountCents)} is more than the ${formatCents(Math.max(free, 0))} of our ` +
        'own funds that can be withdrawn; the rest of the balance belongs to agents and workers',
    )

  const id = mintId('wd', now, 0)
  await tx
    .insertInto('withdrawals')
    .values({
      id,
      amount_cents: amountCents,
      requested_by: operator,
      check_at: new Date(now.getTime() + ASK_AGAIN_MS),
      created_at: now,
      updated_at: now,
    })
    .execute()
  await requestWork(tx, [{ type: 'withdrawal.send', id }], { now })
  return id
}

/** How much of our own money can be withdrawn now. Takes the global schema. */
export const readWithdrawable = (db: Db): Promise<number> => freeOf(db, db.reader)

async function freeOf(db: Db, global: Reader): Promise<number> {
  const { own_funds_cents } = await readHoldings({
    shards: db.shards.all.map((shard) => (shard === db ? global : shard.reader)),
    global,
  })
  return own_funds_cents - (await onTheWay(global))
}

/** Withdrawals that were requested but are not in the ledger yet. */
async function onTheWay(global: Reader): Promise<number> {
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(w.amount_cents), 0)::bigint as cents from withdrawals w
     where w.status = 'requested' or w.status = 'sent' and not exists (
       select 1 from balance_transactions b
        where b.source_id = w.processor_payout_id and b.type = 'payout' and b.matched_at is not null)`.execute(
    global,
  )
  return rows[0]!.cents
}

export const sendWithdrawals = job({
  name: 'reconcile.withdraw',
  payload: Work,
  attemptsMax: 8,
  events: ['withdrawal.send'],

  async run({ payload, ...background }) {
    await sendWithdrawal(background, payload.data.id)
  },
})

export const withdrawalsDue = askWhenDue({
  name: 'reconcile.withdrawals',
  isGlobal: true,

  due: (db, { now, limit }) =>
    db
      .selectFrom('withdrawals')
      .select('id')
      .where('check_at', '<=', now)
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids, now }) {
    const due = await tx
      .updateTable('withdrawals')
      .set({ check_at: new Date(now.getTime() + ASK_AGAIN_MS) })
      .where('id', 'in', ids)
      .where('check_at', '<=', now)
      .returning('id')
      .execute()
    return due.map(({ id }) => ({ type: 'withdrawal.send', id }))
  },
})

/** Sends a withdrawal exactly once. */
export async function sendWithdrawal(background: Background, withdrawalId: string): Promise<void> {
  const { db, clock, config, log } = background
  const processor = processorOf(config)
  if (processor === undefined) return
  const begun = await db.transaction((tx) => begin(tx, { withdrawalId, now: clock.now() }))
  if (begun === undefined) return
  const { withdrawal, attempt } = begun

  const sent = await tryAttempt(background, attempt, {
    create: (key) =>
      processor.createBankPayout({ withdrawalId, amountCents: withdrawal.amount_cents, key }),
    find: () => findBankPayout(processor, withdrawalId, withdrawal.created_at),
    now: clock.now(),
  })
  if (sent.kind === 'unknown' || sent.kind === 'later') {
    log.warn(
      { withdrawal_id: withdrawalId, outcome: sent.kind },
      'a withdrawal has not been sent yet',
    )
    return
  }
  await db.transaction(async (tx) => {
    await endAttempt(tx, attempt, sent, { now: clock.now() })
    await conclude(tx, { withdrawalId, sent, now: clock.now() })
  })
}

async function begin(tx: Tx, { withdrawalId, now }: { withdrawalId: string; now: Date }) {
  const withdrawal = await tx
    .selectFrom('withdrawals')
    .select(['amount_cents', 'created_at'])
    .where('id', '=', withdrawalId)
    .where('status', '=', 'requested')
    .forUpdate()
    .executeTakeFirst()
  if (withdrawal === undefined) return undefined
  const attempt = await beginAttempt(tx, { subjectId: withdrawalId, prefix: 'withdrawal', now })
  await tx
    .updateTable('withdrawals')
    .set({ check_at: nextLook(withdrawal.created_at, now), updated_at: now })
    .where('id', '=', withdrawalId)
    .execute()
  return { withdrawal, attempt }
}

type Ended = Extract<Sent<BankPayout>, { kind: 'ok' | 'refused' | 'not_found' }>

async function conclude(
  tx: Tx,
  { withdrawalId, sent, now }: { withdrawalId: string; sent: Ended; now: Date },
): Promise<void> {
  await tx
    .updateTable('withdrawals')
    .set({ ...after(sent, now), updated_at: now })
    .where('id', '=', withdrawalId)
    .where('status', '=', 'requested')
    .execute()
}

function after(sent: Ended, now: Date) {
  switch (sent.kind) {
    case 'ok':
      return { status: 'sent', processor_payout_id: sent.value.id, check_at: null } as const
    case 'refused':
      return { status: 'failed', failure_message: sent.message, check_at: null } as const
    case 'not_found':
      // The next attempt may begin immediately.
      return { check_at: now }
  }
}

async function findBankPayout(
  processor: Processor,
  withdrawalId: string,
  createdFrom: Date,
): Promise<Outcome<BankPayout | undefined>> {
  for await (const page of processor.listBankPayouts({ createdFrom })) {
    if (page.kind !== 'ok') return page
    const found = page.value.find((payout) => payout.withdrawalId === withdrawalId)
    if (found !== undefined) return { kind: 'ok', value: found }
  }
  return { kind: 'ok', value: undefined }
}

/** Fetches a payment to the operator's bank: one of ours whose response was lost, or one that the bank has returned. */
export async function settleWithdrawal(
  background: Background,
  bankPayoutId: string,
): Promise<void> {
  if (!bankPayoutId.startsWith('po_')) return
  const { db, clock } = background
  const payout = answeredIfThere(await openProcessor(background).getBankPayout(bankPayoutId))
  const { withdrawalId } = payout ?? {}
  if (payout === undefined || withdrawalId === undefined) return
  const isBack = payout.status === 'failed' || payout.status === 'canceled'
  await db.transaction(async (tx) => {
    const withdrawal = await tx
      .selectFrom('withdrawals')
      .select('status')
      .where('id', '=', withdrawalId)
      .forUpdate()
      .executeTakeFirst()
    if (withdrawal === undefined || withdrawal.status === 'failed') return
    const now = clock.now()
    if (withdrawal.status === 'requested') {
      const attempt = await beginAttempt(tx, { subjectId: withdrawalId, prefix: 'withdrawal', now })
      await endAttempt(tx, attempt, { kind: 'ok', value: payout }, { now })
    }
    await tx
      .updateTable('withdrawals')
      .set({
        status: isBack ? 'failed' : 'sent',
        processor_payout_id: payout.id,
        failure_message: isBack ? (payout.failureCode ?? payout.status) : null,
        check_at: null,
        updated_at: now,
      })
      .where('id', '=', withdrawalId)
      .execute()
  })
}
