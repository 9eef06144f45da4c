/** Money between a balance and a bank: payouts and top-ups. */
import type Stripe from 'stripe'
import { payoutsAllowed } from './account-v1.ts'
import { addBalanceTransaction, balanceOf } from './balance.ts'
import { insufficientBalance, invalidRequest } from './errors.ts'
import { recordEvent } from './events.ts'
import { findObject, getObject, insertObject, listObjects, updateObject } from './objects.ts'
import { currency, integer, metadata, oneOf, paging, range, required, text } from './params.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

const ARRIVES_SECONDS = 2 * 24 * 3600
const OUR_BANK = 'ba_platform'

const FAILURES: Record<string, string> = {
  account_closed: 'The bank account has been closed.',
  could_not_process: 'The bank could not process this payout.',
  declined: 'The bank declined this payout.',
  insufficient_funds: 'The account has insufficient funds.',
  invalid_account_number: 'The routing number seems correct, but the account number is invalid.',
  no_account: 'The bank account details on file are probably incorrect.',
}
export const PAYOUT_FAILURES = Object.keys(FAILURES)

/** In a transaction of a connected account, this creates that account's payout. */
export function createPayout(
  tx: Tx,
  given: {
    amount: number
    description?: string | undefined
    metadata?: Stripe.Metadata | undefined
    method?: 'instant' | 'standard' | undefined
    statement_descriptor?: string | undefined
    isAutomatic?: boolean
  },
): Stripe.Payout {
  const { amount, isAutomatic = false } = given
  const destination = bankOf(tx)
  if (balanceOf(tx).available < amount)
    throw insufficientBalance('You have insufficient funds in your Stripe account for this payout.')
  const id = newId('po')
  const payout = {
    id,
    object: 'payout',
    amount,
    application_fee: null,
    application_fee_amount: null,
    arrival_date: given.method === 'instant' ? tx.now : tx.now + ARRIVES_SECONDS,
    automatic: isAutomatic,
    balance_transaction: addBalanceTransaction(tx, {
      type: 'payout',
      amount: -amount,
      source: id,
      description: given.description ?? 'STRIPE PAYOUT',
    }).id,
    created: tx.now,
    currency: 'usd',
    description: given.description ?? null,
    destination,
    failure_balance_transaction: null,
    failure_code: null,
    failure_message: null,
    livemode: false,
    metadata: given.metadata ?? {},
    method: given.method ?? 'standard',
    original_payout: null,
    payout_method: null,
    reconciliation_status: isAutomatic ? 'in_progress' : 'not_applicable',
    reversed_by: null,
    source_type: 'card',
    statement_descriptor: given.statement_descriptor ?? null,
    status: 'pending',
    trace_id: null,
    type: 'bank_account',
  } satisfies Stripe.Payout
  // A scheduled payout includes every available transaction that wasn't in a payout yet.
  if (isAutomatic)
    tx.store.run(
      'update balance_transactions set payout = ? where account = ? and payout is null and available_on <= ?',
      id,
      tx.account,
      tx.now,
    )
  insertObject(tx, 'payout', payout)
  recordEvent(tx, 'payout.created', payout)
  return payout
}

/** Does what the payout schedule does on its day: pays out the entire available balance. */
export function payOutAll(tx: Tx): Stripe.Payout {
  const { available } = balanceOf(tx)
  if (available <= 0) throw insufficientBalance('There is nothing to pay out.')
  return createPayout(tx, { amount: available, isAutomatic: true })
}

function bankOf(tx: Tx): string {
  if (tx.account === PLATFORM) return OUR_BANK
  const account = findObject(asAccount(tx, PLATFORM), 'account', tx.account)!
  if (!payoutsAllowed(account) || account.bank === null)
    throw invalidRequest('Cannot create payouts; please contact us via support for details.', {
      code: 'payouts_not_allowed',
    })
  return account.bank.id
}

/** The bank has responded. A paid payout can still fail: banks may take days to report that. */
export function settlePayout(
  tx: Tx,
  payoutId: string,
  { status, code = 'could_not_process' }: { status: 'paid' | 'failed'; code?: string | undefined },
): Stripe.Payout {
  const payout = getObject(tx, 'payout', payoutId)
  if (payout.status === status || payout.status === 'failed' || payout.status === 'canceled')
    throw invalidRequest(`This payout is already ${payout.status}.`)
  const settled = updateObject(
    tx,
    'payout',
    payout,
    status === 'paid'
      ? { status, ...(payout.automatic ? { reconciliation_status: 'completed' } : {}) }
      : {
          status,
          failure_balance_transaction: addBalanceTransaction(tx, {
            type: 'payout_failure',
            category: 'payout_reversal',
            amount: payout.amount,
            source: payout.id,
            description: 'PAYOUT FAILURE',
          }).id,
          failure_code: code,
          failure_message: FAILURES[code] ?? 'The bank returned the payout.',
        },
  )
  recordEvent(tx, 'payout.updated', settled, { status: payout.status })
  recordEvent(tx, status === 'paid' ? 'payout.paid' : 'payout.failed', settled)
  if (settled.automatic && status === 'paid')
    recordEvent(tx, 'payout.reconciliation_completed', settled)
  return settled
}

export function createTopup(
  tx: Tx,
  given: {
    amount: number
    description?: string | undefined
    metadata?: Stripe.Metadata | undefined
    statement_descriptor?: string | undefined
    transfer_group?: string | undefined
  },
): Stripe.Topup {
  const id = newId('tu')
  const topup = {
    id,
    object: 'topup',
    amount: given.amount,
    balance_transaction: addBalanceTransaction(tx, {
      type: 'topup',
      amount: given.amount,
      source: id,
      description: given.description ?? 'Top-up',
    }).id,
    created: tx.now,
    currency: 'usd',
    description: given.description ?? null,
    expected_availability_date: tx.now,
    failure_code: null,
    failure_message: null,
    initiated_by: 'user',
    livemode: false,
    metadata: given.metadata ?? {},
    source: null,
    statement_descriptor: given.statement_descriptor ?? null,
    status: 'succeeded',
    transfer_group: given.transfer_group ?? null,
  } satisfies Stripe.Topup
  insertObject(tx, 'topup', topup)
  recordEvent(tx, 'topup.created', topup)
  recordEvent(tx, 'topup.succeeded', topup)
  return topup
}

/** The bank reverses a top-up. */
export function reverseTopup(tx: Tx, topupId: string): Stripe.Topup {
  const topup = getObject(tx, 'topup', topupId)
  if (topup.status !== 'succeeded') throw invalidRequest(`This top-up is already ${topup.status}.`)
  addBalanceTransaction(tx, {
    type: 'topup_reversal',
    amount: -topup.amount,
    source: topup.id,
    description: 'Top-up reversal',
  })
  const reversed = updateObject(tx, 'topup', topup, { status: 'reversed' })
  recordEvent(tx, 'topup.reversed', reversed, { status: 'succeeded' })
  return reversed
}

const AMOUNT = required(integer({ min: 1, max: 99_999_999 }))

export const bankRoutes = [
  route({
    method: 'POST',
    path: '/v1/payouts',
    params: {
      amount: AMOUNT,
      currency: required(currency),
      description: text(),
      metadata,
      method: oneOf('instant', 'standard'),
      statement_descriptor: text(22),
    },
    run: (tx, { params }) => createPayout(tx, params),
  }),

  route({
    method: 'GET',
    path: '/v1/payouts/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'payout', id),
  }),

  route({
    method: 'GET',
    path: '/v1/payouts',
    params: {
      ...paging,
      created: range,
      destination: text(),
      status: oneOf('pending', 'paid', 'failed', 'canceled'),
    },
    run: (tx, { params: { created, destination, status, ...page }, path }) =>
      listObjects(tx, 'payout', path, { where: { destination, status }, created, ...page }),
  }),

  route({
    method: 'POST',
    path: '/v1/topups',
    params: {
      amount: AMOUNT,
      currency: required(currency),
      description: text(),
      metadata,
      statement_descriptor: text(15),
      transfer_group: text(),
    },
    run: (tx, { params }) => createTopup(tx, params),
  }),

  route({
    method: 'GET',
    path: '/v1/topups/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'topup', id),
  }),
]
