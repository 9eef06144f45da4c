import type { Background } from '../kit/job.ts'
import { type Attempt, type Sent, tryAttempt } from '../processor/attempts.ts'
import type { Processor } from '../processor/client.ts'
import type { Account, Transfer } from '../processor/client-objects.ts'
import type { Outcome } from '../processor/outcome.ts'
import type { Payout } from './queries.ts'

/** Refusals that say: not to this account, for now. */
const ACCOUNT_CODES = [
  'insufficient_capabilities_for_transfer',
  'transfers_not_allowed',
  'account_invalid',
  'account_closed',
  'resource_missing',
]

/** `not_ready`: the account can't be paid, and nothing has arrived there as far as can be seen. */
export type Transferred = Sent<Transfer> | { kind: 'not_ready' }

/**
 * Transfers what a payout is about, by its attempt; or says why not. Whether the account can be paid is asked right
 * before, since only the processor knows.
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
    /** The worker's account is not the one that it was to go to: nothing is sent any more. */
    isSwapped: boolean
  },
): Promise<Transferred> {
  if (isSwapped) return lookUp()
  const account = await processor.getAccount(payout.account_id!)
  if (!canBePaid(account)) {
    if (account.kind !== 'ok' && !isAboutAccount(account)) return unknown(account)
    // An earlier try may have been in time.
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
  // Before money is given back: a refusal may be about this try alone, such as other words under the same key.
  const found = await lookUp()
  return found.kind === 'not_found' ? sent : found

  async function find(): Promise<Outcome<Transfer | undefined>> {
    const listed = await processor.listTransfers(payout.task_id)
    if (listed.kind !== 'ok') return listed
    return { kind: 'ok', value: listed.value.find(({ payoutId }) => payoutId === payout.id) }
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
