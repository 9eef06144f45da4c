/** Transfers: from our balance to a connected account's, and back while the money is still there. */
import type Stripe from 'stripe'
import { addBalanceTransaction, balanceOf, findTransaction } from './balance.ts'
import { ApiError, insufficientBalance, invalidRequest, notFound } from './errors.ts'
import { recordEvent } from './events.ts'
import { findObject, getObject, insertObject, listObjects, updateObject } from './objects.ts'
import {
  boolean,
  currency,
  integer,
  metadata,
  oneOf,
  paging,
  range,
  required,
  text,
} from './params.ts'
import { newCharge } from './payments.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { asAccount, type Tx } from './tx.ts'

const REVERSALS_SHOWN = 10

export const transferRoutes = [
  route({
    method: 'POST',
    path: '/v1/transfers',
    params: {
      amount: required(integer({ min: 1, max: 99_999_999 })),
      currency: required(currency),
      destination: required(text()),
      description: text(),
      metadata,
      source_transaction: text(),
      source_type: oneOf('card', 'bank_account', 'fpx'),
      transfer_group: text(),
    },
    run(tx, { params }) {
      const { amount } = params
      checkDestination(tx, params.destination)
      const source = params.source_transaction
        ? checkSource(tx, params.source_transaction, amount)
        : undefined
      if (source === undefined && balanceOf(tx).available < amount)
        throw insufficientBalance(
          'You have insufficient available funds in your Stripe account. One likely reason you have insufficient ' +
            'funds is that your funds are automatically being paid out; try enabling manual payouts.',
        )

      const id = newId('tr')
      const delaySeconds = source?.delaySeconds ?? 0
      const taken = addBalanceTransaction(tx, {
        type: 'transfer',
        amount: -amount,
        source: id,
        description: params.description ?? `Transfer to ${params.destination}`,
        delaySeconds,
      })
      const transfer = {
        id,
        object: 'transfer',
        amount,
        amount_reversed: 0,
        balance_transaction: taken.id,
        created: tx.now,
        currency: 'usd',
        description: params.description ?? null,
        destination: params.destination,
        destination_payment: receive(asAccount(tx, params.destination), {
          amount,
          transferId: id,
          description: params.description,
          delaySeconds,
        }),
        livemode: false,
        metadata: params.metadata ?? {},
        reversals: {
          object: 'list',
          data: [],
          has_more: false,
          url: `/v1/transfers/${id}/reversals`,
        },
        reversed: false,
        source_transaction: params.source_transaction ?? null,
        source_type: params.source_type ?? 'card',
        transfer_group: params.transfer_group ?? source?.transferGroup ?? null,
      } satisfies Stripe.Transfer
      insertObject(tx, 'transfer', transfer)
      recordEvent(tx, 'transfer.created', transfer)
      return transfer
    },
  }),

  route({
    method: 'GET',
    path: '/v1/transfers/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => getObject(tx, 'transfer', id),
  }),

  route({
    method: 'GET',
    path: '/v1/transfers',
    params: { ...paging, created: range, destination: text(), transfer_group: text() },
    run: (tx, { params: { created, destination, transfer_group, ...page }, path }) =>
      listObjects(tx, 'transfer', path, {
        // The group comes first, because it is more selective.
        where: { transfer_group, destination },
        created,
        ...page,
      }),
  }),

  route({
    method: 'POST',
    path: '/v1/transfers/:id/reversals',
    params: {
      amount: integer({ min: 1 }),
      description: text(),
      metadata,
      refund_application_fee: boolean,
    },
    run: (tx, { ids: [id = ''], params }) => reverse(tx, getObject(tx, 'transfer', id), params),
  }),

  route({
    method: 'GET',
    path: '/v1/transfers/:id/reversals',
    params: paging,
    run(tx, { ids: [id = ''], params, path }) {
      getObject(tx, 'transfer', id)
      return listObjects(tx, 'transfer_reversal', path, { where: { transfer: id }, ...params })
    },
  }),
]

function checkDestination(tx: Tx, destination: string): void {
  const account = findObject(tx, 'account', destination)
  if (account === undefined) throw notFound('destination', destination, 'destination')
  if (account.transfers !== 'active' || !account.transfers_requested || account.closed)
    throw invalidRequest(
      'Your destination account needs to have at least one of the following capabilities enabled: transfers, ' +
        'crypto_transfers, legacy_payments',
      { code: 'insufficient_capabilities_for_transfer' },
    )
}

/** A transfer tied to a charge may use its money before it is available, but no more than that. */
function checkSource(
  tx: Tx,
  chargeId: string,
  amount: number,
): { delaySeconds: number; transferGroup: string } {
  const charge = getObject(tx, 'charge', chargeId, 'source_transaction')
  const booked =
    typeof charge.balance_transaction === 'string'
      ? findTransaction(tx, charge.balance_transaction)
      : undefined
  if (booked === undefined)
    throw new ApiError(400, {
      type: 'invalid_request_error',
      message: `The charge ${chargeId} cannot be the source of a transfer yet.`,
      param: 'source_transaction',
    })
  const { used } = tx.store.one<{ used: number }>(
    `select coalesce(sum(json_extract(json, '$.amount') - json_extract(json, '$.amount_reversed')), 0) as used
       from objects indexed by transfer_by_source_transaction
       where kind = 'transfer' and json_extract(json, '$.source_transaction') = ?`,
    chargeId,
  )!
  if (used + amount > charge.amount - charge.amount_refunded)
    throw invalidRequest(
      'Transfers using this transaction as a source must not exceed the source amount of ' +
        `$${(charge.amount / 100).toFixed(2)}. (There are already transfers using this source, amounting to ` +
        `$${(used / 100).toFixed(2)}.)`,
      { param: 'amount' },
    )
  return {
    delaySeconds: Math.max(0, booked.available_on - tx.now),
    transferGroup: charge.transfer_group ?? `group_${chargeId}`,
  }
}

/** On the connected account's books, a transfer is a payment. */
function receive(
  tx: Tx,
  given: {
    amount: number
    transferId: string
    description: string | undefined
    delaySeconds: number
  },
): string {
  const payment: Stripe.Charge = {
    ...newCharge(tx, {
      amount: given.amount,
      intent: null,
      means: null,
      payer: { name: null, email: null },
      description: given.description ?? null,
      sourceTransfer: given.transferId,
    }),
    amount_captured: given.amount,
    captured: true,
    paid: true,
    status: 'succeeded',
  }
  const booked = addBalanceTransaction(tx, {
    type: 'payment',
    category: 'transfer',
    amount: given.amount,
    source: payment.id,
    ...(given.description === undefined ? {} : { description: given.description }),
    delaySeconds: given.delaySeconds,
  })
  insertObject(tx, 'charge', { ...payment, balance_transaction: booked.id })
  return payment.id
}

function reverse(
  tx: Tx,
  transfer: Stripe.Transfer,
  params: { amount?: number | undefined; metadata?: Stripe.Metadata | undefined },
): Stripe.TransferReversal {
  const left = transfer.amount - transfer.amount_reversed
  const amount = params.amount ?? left
  if (left === 0)
    throw invalidRequest(`Transfer ${transfer.id} is already fully reversed.`, { param: 'id' })
  if (amount > left)
    throw invalidRequest(
      `Reversal amount ($${(amount / 100).toFixed(2)}) is greater than the unreversed amount on the transfer ` +
        `($${(left / 100).toFixed(2)})`,
      { param: 'amount' },
    )
  const worker = asAccount(tx, transfer.destination as string)
  if (balanceOf(worker).available < amount)
    throw insufficientBalance(
      'The connected account does not have a sufficient available balance to cover the reversal.',
    )

  const id = newId('trr')
  const refundId = newId('pyr')
  addBalanceTransaction(worker, {
    type: 'payment_refund',
    category: 'transfer_reversal',
    amount: -amount,
    source: refundId,
  })
  const reversal = {
    id,
    object: 'transfer_reversal',
    amount,
    balance_transaction: addBalanceTransaction(tx, {
      type: 'transfer_refund',
      category: 'transfer_reversal',
      amount,
      source: id,
      description: `REFUND FOR TRANSFER (${transfer.description ?? transfer.id})`,
    }).id,
    created: tx.now,
    currency: 'usd',
    destination_payment_refund: refundId,
    metadata: params.metadata ?? {},
    source_refund: null,
    transfer: transfer.id,
  } satisfies Stripe.TransferReversal
  insertObject(tx, 'transfer_reversal', reversal)
  const shown = [reversal, ...transfer.reversals.data]
  const reversed = updateObject(tx, 'transfer', transfer, {
    amount_reversed: transfer.amount_reversed + amount,
    reversed: amount === left,
    reversals: {
      ...transfer.reversals,
      data: shown.slice(0, REVERSALS_SHOWN),
      has_more: shown.length > REVERSALS_SHOWN || transfer.reversals.has_more,
    },
  })
  recordEvent(tx, 'transfer.reversed', reversed, { amount_reversed: transfer.amount_reversed })
  return reversal
}
