import { timeOf } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'
import { isRestoredSince } from '../kit/lost-time.ts'
import { type Attempt, type Sent, tryAttempt } from '../processor/attempts.ts'
import type { Processor } from '../processor/client.ts'
import type { Account, Transfer } from '../processor/client-objects.ts'
import type { Outcome } from '../processor/outcome.ts'
import { findByTransfer, type Payout } from './queries.ts'

/** Refusals that mean this account can't be paid for now. */
const ACCOUNT_CODES = [
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_invalid',
  'account_closed',
  'resource_missing',
]

/**
 * `not_ready`: the account can't be paid, and we found no transfer to it. `paid_before`: a transfer that a restore from
 * a backup has lost paid the same worker for the same task, under the id of a payout that we don't have.
 */
export type Transferred =
  | Sent<Transfer>
  | { kind: 'not_ready' }
  | { kind: 'paid_before'; value: Transfer }

/**
 * Transfers the payout's amount under its attempt, or returns why not. Checks first whether the account can be paid,
 * since only the processor knows.
 */
export async function transfer(
  { db, config, clock }: Background,
  processor: Processor,
  {
    payout,
    attempt,
    isSwapped,
  }: {
    payout: Payout
    attempt: Attempt
    /** The worker's account is no longer the one that the payout was requested for: send nothing more. */
    isSwapped: boolean
  },
): Promise<Transferred> {
  if (isSwapped) return lookUp()
  // Payout ids and idempotency keys from before a restore are unknown here, so only the processor's list shows them.
  if (await isRestoredSince(db.shards.global.reader, timeOf(payout.task_id))) {
    const before = await findBefore()
    if (before !== undefined) return before
  }
  const account = await processor.getAccount(payout.account_id!)
  if (!canBePaid(account)) {
    if (account.kind !== 'ok' && !isAboutAccount(account)) return unknown(account)
    // An earlier try may have succeeded.
    const found = await lookUp()
    return found.kind === 'not_found' ? { kind: 'not_ready' } : found
  }

  const sent = await tryAttempt({ db, config }, attempt, {
    create: (key) =>
      processor.createTransfer({
        payoutId: payout.id,
        taskId: payout.task_id,
        workerId: payout.worker_id,
        accountId: payout.account_id!,
        amountCents: payout.amount_cents,
        key,
      }),
    find,
    now: clock.now(),
  })
  if (sent.kind !== 'refused' || isWaiting(sent.code)) return sent
  // Look up before giving money back: the refusal may concern only this try, such as different parameters under the
  // same key.
  const found = await lookUp()
  return found.kind === 'not_found' ? sent : found

  async function find(): Promise<Outcome<Transfer | undefined>> {
    const listed = await processor.listTransfers(payout.task_id)
    if (listed.kind !== 'ok') return listed
    return { kind: 'ok', value: listed.value.find(({ payoutId }) => payoutId === payout.id) }
  }

  async function findBefore(): Promise<Transferred | undefined> {
    const listed = await processor.listTransfers(payout.task_id)
    if (listed.kind !== 'ok') return unknown(listed)
    for (const value of listed.value) {
      const isTheirs = value.workerId === payout.worker_id
      if (!isTheirs || value.reversedCents === value.amountCents) continue
      if (value.payoutId === payout.id) return { kind: 'ok', value }
      if ((await findByTransfer(db.reader, value.id)) === undefined)
        return { kind: 'paid_before', value }
    }
    return undefined
  }

  async function lookUp(): Promise<Sent<Transfer>> {
    const found = await find()
    if (found.kind !== 'ok') return unknown(found)
    return found.value === undefined ? { kind: 'not_found' } : { kind: 'ok', value: found.value }
  }
}

function unknown(outcome: Exclude<Outcome<unknown>, { kind: 'ok' }>): Sent<Transfer> {
  return { kind: 'unknown', cause: outcome.kind === 'ambiguous' ? outcome.cause : outcome.code }
}

export const isAccountRefusal = (code: string) => ACCOUNT_CODES.includes(code)
const canBePaid = (account: Outcome<Account>) =>
  account.kind === 'ok' && account.value.transfers === 'active' && !account.value.isClosed
const isAboutAccount = (outcome: Outcome<unknown>) =>
  outcome.kind === 'definite' && isAccountRefusal(outcome.code)
const isWaiting = (code: string) => code === 'balance_insufficient' || isAccountRefusal(code)
