/**
 * The payment processor's client. Only this module calls the processor; no type of the Stripe package leaves it.
 *
 * Every request that moves money carries an idempotency key that the caller has stored beforehand: repeated under the
 * same key, it is executed once. All parameters must then be identical, byte for byte.
 */
import assert from 'node:assert/strict'
import type Stripe from 'stripe'
import type { Config } from '../config.ts'
import {
  accountsV1,
  accountsV2,
  type Link,
  type NewAccount,
  type NewOnboardingLink,
  urlOf,
} from './client-accounts.ts'
import { type Call, openCall, openStripe } from './client-call.ts'
import {
  fromSnapshot,
  type Notification,
  type Receipt,
  readSnapshot,
  readThin,
} from './client-notifications.ts'
import {
  type Account,
  type Balance,
  type BalanceTransaction,
  type Bank,
  type BankPayout,
  type CardDispute,
  type Charge,
  type Checkout,
  type Refund,
  type Reversal,
  type Transfer,
  toBalance,
  toBalanceTransaction,
  toBank,
  toBankPayout,
  toCardDispute,
  toCharge,
  toCheckout,
  toRefund,
  toReversal,
  toReversedTransferId,
  toTransfer,
} from './client-objects.ts'
import type { Outcome } from './outcome.ts'

/** The processor's maximum page size. */
const PAGE_LENGTH = 100
/** A safety limit: the objects of one task or one payment need far fewer pages. */
const PAGES_MAX = 100
/**
 * The timeout of each of two tries. A request that times out continues in the background, or on the caller's next try.
 */
const HURRY_TIMEOUT_MS = 7000
const HURRY_RETRIES = 1
const PAID_BY = ['card', 'link'] as const

export interface NewCheckout {
  depositId: string
  agentId: string
  email: string
  amountCents: number
  /** 30 minutes to 24 hours from now. Stored with the deposit, since a repeated request must send the same second. */
  expiresAt: Date
  successUrl: string
  cancelUrl: string
}

export interface NewRefund {
  refundId: string
  paymentIntentId: string
  amountCents: number
  key: string
}

export interface NewTransfer {
  payoutId: string
  taskId: string
  workerId: string
  accountId: string
  amountCents: number
  key: string
}

export interface NewReversal {
  transferId: string
  payoutId: string
  amountCents: number
  key: string
}

export interface NewBankPayout {
  withdrawalId: string
  amountCents: number
  key: string
}

/** Yields pages, newest first. A page that is not `ok` is the last one, and the list is then incomplete. */
export type Pages<T> = AsyncGenerator<Outcome<T[]>, void, undefined>

export interface Processor {
  /** Whether this is live mode, where real money moves. */
  livemode: boolean

  /** Uses the idempotency key `deposit_<id>`. */
  createCheckout(checkout: NewCheckout): Promise<Outcome<Checkout>>
  getCheckout(sessionId: string): Promise<Outcome<Checkout>>
  /** The checkout that was paid by this payment. */
  findCheckout(paymentIntentId: string): Promise<Outcome<Checkout | undefined>>
  getCharge(chargeId: string): Promise<Outcome<Charge>>
  getDispute(disputeId: string): Promise<Outcome<CardDispute>>
  createRefund(refund: NewRefund): Promise<Outcome<Refund>>
  getRefund(processorRefundId: string): Promise<Outcome<Refund>>
  listRefunds(paymentIntentId: string): Promise<Outcome<Refund[]>>

  /** Uses the idempotency key `acct_<worker_id>`. */
  createAccount(account: NewAccount): Promise<Outcome<Account>>
  getAccount(accountId: string): Promise<Outcome<Account>>
  /** The link works once and expires within minutes: never store, mail or log it. */
  createOnboardingLink(link: NewOnboardingLink): Promise<Outcome<Link>>
  /** The link works once. Refused until the worker has completed onboarding. */
  createDashboardLink(accountId: string): Promise<Outcome<{ url: string }>>
  /** Pays out to the bank every Friday, whatever exceeds the BANK_PAYOUT_MINIMUM_CENTS kept in the account. */
  setPayoutSchedule(accountId: string): Promise<Outcome<undefined>>
  /** The last digits of the bank account or debit card that the worker's payouts go to; undefined if there is none. */
  getBank(accountId: string): Promise<Outcome<Bank | undefined>>
  createTransfer(transfer: NewTransfer): Promise<Outcome<Transfer>>
  getTransfer(transferId: string): Promise<Outcome<Transfer>>
  /** The transfer group is the task. */
  listTransfers(transferGroup: string): Promise<Outcome<Transfer[]>>
  reverseTransfer(reversal: NewReversal): Promise<Outcome<Reversal>>

  getBalance(): Promise<Outcome<Balance>>
  getBalanceTransaction(id: string): Promise<Outcome<BalanceTransaction>>
  /** The transfer that a reversal's balance transaction belongs to; a reversal can't be fetched by its own id. */
  getReversedTransferId(balanceTransactionId: string): Promise<Outcome<string | undefined>>
  listBalanceTransactions(range: { createdFrom: Date; createdTo?: Date }): Pages<BalanceTransaction>
  /** Withdraws the operator's own money. */
  createBankPayout(payout: NewBankPayout): Promise<Outcome<BankPayout>>
  getBankPayout(bankPayoutId: string): Promise<Outcome<BankPayout>>
  listBankPayouts(range: { createdFrom: Date }): Pages<BankPayout>

  /**
   * Only events of our own account: the list has no events of workers' accounts and no thin events. Kept for 30 days.
   */
  listUndeliveredEvents(range: { createdFrom: Date }): Pages<Notification>
  /** Undefined if it is not signed by any of the secrets, too old, or not of this kind. */
  readSnapshot(body: Buffer, signature: string, receipt: Receipt): Notification | undefined
  readThin(body: Buffer, signature: string, receipt: Receipt): Notification | undefined
}

const opened = new WeakMap<Config, Processor>()
const hurried = new WeakMap<Config, Config>()

/** The processor's client for a server; undefined if STRIPE_SECRET_KEY is not set. */
export function processorOf(config: Config): Processor | undefined {
  if (config.STRIPE_SECRET_KEY === undefined) return undefined
  const processor = opened.get(config) ?? openProcessor(config, config.STRIPE_SECRET_KEY)
  opened.set(config, processor)
  return processor
}

/** Like `processorOf`, with short timeouts for requests that a person waits for. */
export function hurriedProcessorOf(config: Config): Processor | undefined {
  const hurry = hurried.get(config) ?? {
    ...config,
    STRIPE_TIMEOUT_MS: Math.min(config.STRIPE_TIMEOUT_MS, HURRY_TIMEOUT_MS),
    STRIPE_RETRIES: Math.min(config.STRIPE_RETRIES, HURRY_RETRIES),
  }
  hurried.set(config, hurry)
  return processorOf(hurry)
}

function openProcessor(config: Config, secretKey: string): Processor {
  const livemode = /^[sr]k_live_/.test(secretKey)
  assert(
    !livemode || config.STRIPE_API_BASE === undefined,
    'a live key may only be used with the processor itself',
  )
  const stripe = openStripe(config, secretKey)
  const call = openCall(stripe, config, livemode)
  const accounts = config.CONNECT_ACCOUNTS_API === 'v1' ? accountsV1(call) : accountsV2(call)
  return {
    livemode,
    ...moneyIn(call),
    ...moneyOut(call, config),
    ...books(call),
    createAccount: accounts.create,
    getAccount: accounts.get,
    createOnboardingLink: accounts.createOnboardingLink,
    readSnapshot: (body, signature, receipt) => readSnapshot(stripe, body, signature, receipt),
    readThin: (body, signature, receipt) => readThin(stripe, body, signature, receipt),
  }
}

function moneyIn(call: Call) {
  return {
    createCheckout: ({ depositId, agentId, email, amountCents, ...checkout }: NewCheckout) => {
      const metadata = { deposit_id: depositId, agent_id: agentId }
      const product_data = { name: 'Wallet deposit' }
      return call(
        { object: 'checkout.session' },
        (stripe) =>
          stripe.checkout.sessions.create(
            {
              mode: 'payment',
              ui_mode: 'hosted_page',
              line_items: [
                {
                  quantity: 1,
                  price_data: { currency: 'usd', unit_amount: amountCents, product_data },
                },
              ],
              client_reference_id: depositId,
              customer_email: email,
              metadata,
              payment_intent_data: { metadata },
              // Otherwise Stripe may offer the payer another currency.
              adaptive_pricing: { enabled: false },
              allowed_payment_method_types: [...PAID_BY],
              expires_at: seconds(checkout.expiresAt),
              success_url: checkout.successUrl,
              cancel_url: checkout.cancelUrl,
            },
            { idempotencyKey: `deposit_${depositId}` },
          ),
        (session) => {
          urlOf(session)
          return toCheckout(session)
        },
      )
    },

    getCheckout: (sessionId: string) =>
      call(
        { object: 'checkout.session' },
        (stripe) =>
          stripe.checkout.sessions.retrieve(sessionId, {
            expand: ['payment_intent.latest_charge.balance_transaction'],
          }),
        toCheckout,
      ),

    findCheckout: (paymentIntentId: string) =>
      call(
        { object: 'list', hasId: false },
        (stripe) => stripe.checkout.sessions.list({ payment_intent: paymentIntentId, limit: 1 }),
        ({ data: [session] }) => session && toCheckout(session),
      ),

    getCharge: (chargeId: string) =>
      call(
        { object: 'charge' },
        (stripe) =>
          stripe.charges.retrieve(chargeId, { expand: ['balance_transaction', 'payment_intent'] }),
        (charge) => toCharge(charge),
      ),

    getDispute: (disputeId: string) =>
      call({ object: 'dispute' }, (stripe) => stripe.disputes.retrieve(disputeId), toCardDispute),

    createRefund: ({ refundId, paymentIntentId, amountCents, key }: NewRefund) =>
      call(
        { object: 'refund' },
        (stripe) =>
          stripe.refunds.create(
            {
              payment_intent: paymentIntentId,
              amount: amountCents,
              metadata: { refund_id: refundId },
            },
            { idempotencyKey: key },
          ),
        toRefund,
      ),

    getRefund: (processorRefundId: string) =>
      call({ object: 'refund' }, (stripe) => stripe.refunds.retrieve(processorRefundId), toRefund),

    listRefunds: (paymentIntentId: string) =>
      allOf(
        pagesOf(
          call,
          (stripe, page) => stripe.refunds.list({ payment_intent: paymentIntentId, ...page }),
          toRefund,
        ),
      ),
  }
}

function moneyOut(call: Call, config: Config) {
  return {
    createDashboardLink: (accountId: string) =>
      call(
        { object: 'login_link', hasId: false },
        (stripe) => stripe.accounts.createLoginLink(accountId),
        (link) => ({ url: urlOf(link) }),
      ),

    setPayoutSchedule: (accountId: string) => {
      const minimum = config.BANK_PAYOUT_MINIMUM_CENTS
      const kept = minimum > 0 ? { minimum_balance_by_currency: { usd: minimum } } : {}
      const schedule = { interval: 'weekly' as const, weekly_payout_days: ['friday' as const] }
      return call(
        { object: 'balance_settings', hasId: false },
        (stripe) =>
          stripe.balanceSettings.update(
            { payments: { debit_negative_balances: true, payouts: { schedule, ...kept } } },
            { stripeAccount: accountId },
          ),
        () => undefined,
      )
    },

    // Accounts of the v2 API are shown by v1, too; only there is the bank account.
    getBank: (accountId: string) =>
      call({ object: 'account' }, (stripe) => stripe.accounts.retrieve(accountId), toBank),

    createTransfer: ({ payoutId, taskId, workerId, key, ...transfer }: NewTransfer) =>
      call(
        { object: 'transfer' },
        (stripe) =>
          stripe.transfers.create(
            {
              amount: transfer.amountCents,
              currency: 'usd',
              destination: transfer.accountId,
              transfer_group: taskId,
              description: `Legwork ${taskId}`,
              metadata: { payout_id: payoutId, task_id: taskId, worker_id: workerId },
            },
            { idempotencyKey: key },
          ),
        toTransfer,
      ),

    getTransfer: async (transferId: string): Promise<Outcome<Transfer>> => {
      const transfer = await call(
        { object: 'transfer' },
        (stripe) => stripe.transfers.retrieve(transferId),
        (raw) => ({ ...toTransfer(raw), isWhole: !raw.reversals.has_more }),
      )
      if (transfer.kind !== 'ok') return transfer
      const { isWhole, ...value } = transfer.value
      if (isWhole) return { kind: 'ok', value }

      // A transfer includes only its ten latest reversals.
      const reversals = await allOf(
        pagesOf(
          call,
          (stripe, page) => stripe.transfers.listReversals(transferId, page),
          toReversal,
        ),
      )
      if (reversals.kind !== 'ok') return reversals
      return { kind: 'ok', value: { ...value, reversals: reversals.value } }
    },

    listTransfers: (transferGroup: string) =>
      allOf(
        pagesOf(
          call,
          (stripe, page) => stripe.transfers.list({ transfer_group: transferGroup, ...page }),
          toTransfer,
        ),
      ),

    reverseTransfer: ({ transferId, payoutId, amountCents, key }: NewReversal) =>
      call(
        { object: 'transfer_reversal' },
        (stripe) =>
          stripe.transfers.createReversal(
            transferId,
            { amount: amountCents, metadata: { payout_id: payoutId, attempt_key: key } },
            { idempotencyKey: key },
          ),
        toReversal,
      ),
  }
}

function books(call: Call) {
  return {
    getBalance: () =>
      call(
        { object: 'balance', hasId: false },
        (stripe) => stripe.balance.retrieve(),
        (balance) => toBalance(balance),
      ),

    getBalanceTransaction: (id: string) =>
      call(
        { object: 'balance_transaction' },
        (stripe) => stripe.balanceTransactions.retrieve(id),
        toBalanceTransaction,
      ),

    getReversedTransferId: (balanceTransactionId: string) =>
      call(
        { object: 'balance_transaction' },
        (stripe) =>
          stripe.balanceTransactions.retrieve(balanceTransactionId, { expand: ['source'] }),
        toReversedTransferId,
      ),

    listBalanceTransactions: (range: { createdFrom: Date; createdTo?: Date }) => {
      const to = range.createdTo === undefined ? {} : { lt: seconds(range.createdTo) }
      const created = { gte: seconds(range.createdFrom), ...to }
      return pagesOf(
        call,
        (stripe, page) => stripe.balanceTransactions.list({ created, ...page }),
        toBalanceTransaction,
      )
    },

    createBankPayout: ({ withdrawalId, amountCents, key }: NewBankPayout) =>
      call(
        { object: 'payout' },
        (stripe) =>
          stripe.payouts.create(
            { amount: amountCents, currency: 'usd', metadata: { withdrawal_id: withdrawalId } },
            { idempotencyKey: key },
          ),
        toBankPayout,
      ),

    getBankPayout: (bankPayoutId: string) =>
      call({ object: 'payout' }, (stripe) => stripe.payouts.retrieve(bankPayoutId), toBankPayout),

    listBankPayouts: ({ createdFrom }: { createdFrom: Date }) =>
      pagesOf(
        call,
        (stripe, page) => stripe.payouts.list({ created: { gte: seconds(createdFrom) }, ...page }),
        toBankPayout,
      ),

    listUndeliveredEvents: ({ createdFrom }: { createdFrom: Date }) =>
      pagesOf(
        call,
        (stripe, page) =>
          stripe.events.list({
            created: { gte: seconds(createdFrom) },
            delivery_success: false,
            ...page,
          }),
        fromSnapshot,
      ),
  }
}

interface Page {
  limit: number
  starting_after?: string
}

async function* pagesOf<Raw extends { id: string }, T>(
  call: Call,
  list: (stripe: Stripe, page: Page) => Promise<Stripe.ApiList<Raw>>,
  read: (raw: Raw) => T,
): Pages<T> {
  let after: string | undefined
  for (;;) {
    const from = after === undefined ? {} : { starting_after: after }
    const answer = await call(
      { object: 'list', hasId: false },
      (stripe) => list(stripe, { limit: PAGE_LENGTH, ...from }),
      (raw) => ({ items: raw.data.map(read), lastId: raw.data.at(-1)?.id, hasMore: raw.has_more }),
    )
    if (answer.kind !== 'ok') return yield answer
    const { items, lastId, hasMore } = answer.value
    // Without a cursor, or with the same one again, this loop would never end.
    if (hasMore && (lastId === undefined || lastId === after))
      return yield {
        kind: 'ambiguous',
        cause: 'a list does not advance to its next page',
        isAnswer: false,
      }
    yield { kind: 'ok', value: items }
    if (!hasMore) return
    after = lastId
  }
}

async function allOf<T>(pages: Pages<T>): Promise<Outcome<T[]>> {
  const all: T[] = []
  let count = 0
  for await (const page of pages) {
    if (page.kind !== 'ok') return page
    all.push(...page.value)
    count += 1
    if (count > PAGES_MAX)
      return { kind: 'ambiguous', cause: 'a list has too many pages', isAnswer: false }
  }
  return { kind: 'ok', value: all }
}

function seconds(time: Date): number {
  return Math.floor(time.getTime() / 1000)
}
