/**
 * Fetch a worker's account from the processor and apply its state: whether the worker can be paid, and which payouts
 * can go.
 *
 *   called by   notifications about the account; the worker, returning from onboarding; the clock
 *   moves       the account: onboarding, pending_verification, active, restricted, rejected, closed, as there
 *   money       none; payouts that wait for the account are released
 *   event       account.look (ours)
 */
import { isDeepStrictEqual } from 'node:util'
import { sql } from 'kysely'
import { findAnywhere, type Tx } from '../kit/db.ts'
import { type Background, job } from '../kit/job.ts'
import { type Processor, processorOf } from '../processor/client.ts'
import type { Account } from '../processor/client-objects.ts'
import { nextLook } from '../processor/next-look.ts'
import { askWhenDue } from '../webhooks/ask-when-due.ts'
import { requestWork, Work } from '../webhooks/record-event.ts'
import { setPayoutsReady } from '../workers/payouts-ready.ts'
import { nextAccountLook, statusOf } from './account-status.ts'
import { makeAccount } from './make-account.ts'
import type { PayoutAccount } from './queries.ts'

const LOOKS_MAX = 3
const AGAIN_MS = 2000
const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

export const lookAtAccount = job({
  name: 'payouts.refresh-account',
  payload: Work,
  attemptsMax: 8,
  events: ['account.look'],

  async run({ payload, ...background }) {
    const { id } = payload.data
    if (id.startsWith('worker_')) await refreshOf(background, id)
    else await refreshAccount(background, id)
  },
})

export const accountsDue = askWhenDue({
  name: 'payouts.accounts',

  due: (db, { now, limit }) =>
    db
      .selectFrom('payout_accounts')
      .select('worker_id as id')
      .where('check_at', '<=', now)
      .orderBy('check_at')
      .limit(limit)
      .execute(),

  async putOff(tx, { ids: workerIds, now }) {
    const due = await tx
      .updateTable('payout_accounts')
      .set({ check_at: new Date(now.getTime() + HOUR_MS) })
      .where('worker_id', 'in', workerIds)
      .where('check_at', '<=', now)
      .returning('worker_id')
      .execute()
    return due.map(({ worker_id: id }) => ({ type: 'account.look', id }))
  },
})

/** The worker is back from onboarding: refresh now rather than in a few minutes. */
export async function lookAtAccountSoon(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  const known = await tx
    .updateTable('payout_accounts')
    .set({ check_at: nextLook(now, now) })
    .where('worker_id', '=', workerId)
    .where('account_id', 'is not', null)
    .where('status', 'not in', ['active', 'closed'])
    // The page's URL is not secret, so throttle: opening it repeatedly causes one refresh.
    .where(({ or, eb }) =>
      or([
        eb('refreshed_at', 'is', null),
        eb('refreshed_at', '<', new Date(now.getTime() - AGAIN_MS)),
      ]),
    )
    .returning('worker_id')
    .execute()
  await requestWork(
    tx,
    known.map(({ worker_id }) => ({ type: 'account.look', id: worker_id })),
    { now },
  )
}

type Looked = 'done' | 'waiting' | 'unknown'

/** Idempotent and safe to call concurrently, in any order. `unknown`: the account belongs to no worker here. */
export async function refreshAccount(background: Background, accountId: string): Promise<Looked> {
  const row = await findAnywhere(background.db.shards, (reader) =>
    reader
      .selectFrom('payout_accounts')
      .select('worker_id')
      .where('account_id', '=', accountId)
      .executeTakeFirst(),
  )
  if (row === undefined) return 'unknown'
  // The processor says that something changed, perhaps the bank account.
  return refreshOf(background, row.worker_id, { isBankStale: true })
}

async function refreshOf(
  anywhere: Background,
  workerId: string,
  { isBankStale = false } = {},
): Promise<Looked> {
  const background = { ...anywhere, db: anywhere.db.shards.at(workerId) }
  const processor = processorOf(background.config)
  if (processor === undefined) return 'waiting'
  for (let look = 0; look < LOOKS_MAX; look += 1) {
    const row = await readVersion(background, workerId)
    if (row === undefined) return 'unknown'
    if (row.account_id === null) return finishMaking(background, processor, row)

    const found = await processor.getAccount(row.account_id)
    if (found.kind !== 'ok') {
      // Do not treat this as closed: the fault may be ours, such as another platform's API key.
      const cause = found.kind === 'ambiguous' ? found.cause : found.code
      background.log.warn({ worker_id: workerId, cause }, 'could not check a payout account')
      await putOff(background, workerId)
      return 'waiting'
    }
    const bank = await askForBank(background, processor, { row, account: found.value, isBankStale })
    const outcome = await background.db.transaction((tx) =>
      apply(tx, row, { account: found.value, bank, now: background.clock.now() }),
    )
    if (outcome === 'changed') continue
    if (outcome.status === 'active' && outcome.schedule_set_at === null)
      await setSchedule(background, processor, outcome)
    return 'done'
  }
  return 'waiting'
}

type Versioned = PayoutAccount & { version: string }

const readVersion = ({ db }: Background, workerId: string): Promise<Versioned | undefined> =>
  db.reader
    .selectFrom('payout_accounts')
    .selectAll()
    .select(sql<string>`xmin::text`.as('version'))
    .where('worker_id', '=', workerId)
    .executeTakeFirst()

/** `changed`: the row was written since we asked the processor, so its response may be out of date. */
async function apply(
  tx: Tx,
  row: Versioned,
  { account, bank, now }: { account: Account; bank: BankColumns | undefined; now: Date },
): Promise<PayoutAccount | 'changed'> {
  const workerId = row.worker_id
  const current = await tx
    .selectFrom('payout_accounts')
    .selectAll()
    .select(sql<string>`xmin::text`.as('version'))
    .where('worker_id', '=', workerId)
    .forUpdate()
    .executeTakeFirstOrThrow()
  // One of the processor's APIs forgets that onboarding was completed as soon as it has a new question.
  const detailsSubmitted = row.details_submitted || account.detailsSubmitted
  const status = statusOf(account, { detailsSubmitted })
  const told = {
    status,
    requirements_due: account.requirementsDue,
    details_submitted: detailsSubmitted,
  }
  // Several notifications about one change cause several refreshes: those with the same result are fine.
  if (current.version !== row.version) {
    if (!isDeepStrictEqual(told, pick(current))) return 'changed'
    await storeBank(tx, row, bank)
    if (status === 'active') await wakePayouts(tx, { workerId, now })
    return current
  }
  const changed = await tx
    .updateTable('payout_accounts')
    .set({
      ...told,
      ...bank,
      refreshed_at: now,
      check_at: nextAccountLook(status, { createdAt: row.created_at, now }),
      updated_at: now,
    })
    .where('worker_id', '=', workerId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await setPayoutsReady(tx, { workerId, isReady: status === 'active', now })
  if (status === 'active') await wakePayouts(tx, { workerId, now })
  return changed
}

const pick = ({ status, requirements_due, details_submitted }: PayoutAccount) => ({
  status,
  requirements_due,
  details_submitted,
})

/** Makes payouts that wait for the account due now; the timers do the rest. */
async function wakePayouts(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('payouts')
    .set({ check_at: now })
    .where('worker_id', '=', workerId)
    .where('status', '=', 'awaiting_account')
    .where('check_at', '>', now)
    .execute()
}

/** Sets weekly payouts to the bank. If that fails, the processor's default applies until the next refresh. */
async function setSchedule(
  { db, clock, log }: Background,
  processor: Processor,
  { worker_id: workerId, account_id: accountId }: PayoutAccount,
): Promise<void> {
  const set = await processor.setPayoutSchedule(accountId!)
  if (set.kind !== 'ok') {
    const cause = set.kind === 'ambiguous' ? set.cause : set.code
    log.warn({ worker_id: workerId, cause }, 'could not set the payout schedule of an account')
    return
  }
  await db.transaction((tx) =>
    tx
      .updateTable('payout_accounts')
      .set({ schedule_set_at: clock.now() })
      .where('worker_id', '=', workerId)
      .execute(),
  )
}

type BankColumns = Pick<PayoutAccount, 'bank_last4' | 'bank_fingerprint'>

/**
 * Reads the bank account of an account that can be paid. It is stored before payouts are released, which compare it
 * with those of other workers. Undefined if it is known, or if the processor doesn't tell: what is known stays.
 */
async function askForBank(
  { log }: Background,
  processor: Processor,
  { row, account, isBankStale }: { row: Versioned; account: Account; isBankStale: boolean },
): Promise<BankColumns | undefined> {
  const status = statusOf(account, { detailsSubmitted: true })
  // Closing the worker's account erases the last digits but not the fingerprint.
  const isKnown = row.bank_fingerprint !== null
  if (status !== 'active' || (isKnown && !isBankStale)) return undefined
  const found = await processor.getBank(row.account_id!)
  if (found.kind !== 'ok') {
    const cause = found.kind === 'ambiguous' ? found.cause : found.code
    log.warn(
      { worker_id: row.worker_id, cause },
      'could not read the bank account of a payout account',
    )
    return undefined
  }
  return {
    bank_last4: found.value?.last4 ?? null,
    bank_fingerprint: found.value?.fingerprint ?? null,
  }
}

/** For a refresh that finds everything else already stored by another one, which may not have read the bank. */
async function storeBank(
  tx: Tx,
  { worker_id: workerId, account_id: accountId }: PayoutAccount,
  bank: BankColumns | undefined,
): Promise<void> {
  if (bank === undefined) return
  await tx
    .updateTable('payout_accounts')
    .set(bank)
    .where('worker_id', '=', workerId)
    // The account may have been replaced meanwhile.
    .where('account_id', '=', accountId)
    .execute()
}

/** Creating the account was interrupted: repeating the request returns the same account. */
async function finishMaking(
  background: Background,
  processor: Processor,
  row: PayoutAccount,
): Promise<Looked> {
  const { db, config, clock, log } = background
  const made = await makeAccount({ db, config, processor, now: clock.now() }, row)
  if (made.kind === 'ok') return 'done'
  if (made.kind === 'definite')
    log.error(
      { worker_id: row.worker_id, code: made.code, message: made.message },
      'the processor refused to open a payout account',
    )
  await putOff(background, row.worker_id, { until: row.created_at.getTime() + DAY_MS })
  return 'waiting'
}

async function putOff(
  { db, clock }: Background,
  workerId: string,
  { until }: { until?: number } = {},
): Promise<void> {
  const now = clock.now()
  const isOver = until !== undefined && now.getTime() > until
  await db.transaction((tx) =>
    tx
      .updateTable('payout_accounts')
      .set({ check_at: isOver ? null : new Date(now.getTime() + HOUR_MS) })
      .where('worker_id', '=', workerId)
      .execute(),
  )
}
