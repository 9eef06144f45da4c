/** Our own and connected accounts' balances, each of which is the sum of its balance transactions. */
import type Stripe from 'stripe'
import type { AccountRecord } from './account-record.ts'
import { payoutsAllowed } from './account-v1.ts'
import { invalidRequest, notFound } from './errors.ts'
import { recordEvent } from './events.ts'
import { addRange, findObject, readPage, updateObject } from './objects.ts'
import {
  boolean,
  currency,
  integer,
  list,
  metadata,
  object,
  oneOf,
  paging,
  range,
  text,
  type Value,
} from './params.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

interface Movement {
  type: Stripe.BalanceTransaction['type']
  /** Gross amount; the fee is deducted from it. */
  amount: number
  fee?: number
  source: string | null
  description?: string
  /** The processor's reporting category, if it differs from the type. */
  category?: string
  delaySeconds?: number
}

/** The only function that changes a balance. */
export function addBalanceTransaction(
  tx: Tx,
  { type, amount, fee = 0, source, description, category = type, delaySeconds = 0 }: Movement,
): Stripe.BalanceTransaction {
  const added = {
    id: newId('txn'),
    object: 'balance_transaction',
    amount,
    available_on: tx.now + delaySeconds,
    balance_type: 'payments',
    created: tx.now,
    currency: 'usd',
    description: description ?? null,
    exchange_rate: null,
    fee,
    fee_details:
      fee === 0
        ? []
        : [
            {
              amount: fee,
              application: null,
              currency: 'usd',
              description: type === 'adjustment' ? 'Dispute fee' : 'Stripe processing fees',
              type: 'stripe_fee',
            },
          ],
    net: amount - fee,
    reporting_category: category,
    source,
    status: delaySeconds > 0 ? 'pending' : 'available',
    type,
  } satisfies Stripe.BalanceTransaction
  tx.store.run(
    `insert into balance_transactions (id, account, created, available_on, type, source, net, json)
       values (?, ?, ?, ?, ?, ?, ?, ?)`,
    added.id,
    tx.account,
    added.created,
    added.available_on,
    added.type,
    added.source,
    added.net,
    JSON.stringify(added),
  )
  return added
}

/** Transactions with a future date are pending; everything else is available, and may be negative. */
export function balanceOf(tx: Tx): { available: number; pending: number } {
  const sum = tx.store.one<{ net: number }>(
    'select net from balances where account = ?',
    tx.account,
  )
  const { pending } = tx.store.one<{ pending: number }>(
    `select coalesce(sum(net), 0) as pending from balance_transactions
       where account = ? and available_on > ?`,
    tx.account,
    tx.now,
  )!
  return { available: (sum?.net ?? 0) - pending, pending }
}

export function viewBalance(tx: Tx): Stripe.Balance {
  const { available, pending } = balanceOf(tx)
  const inDollars = (amount: number) => [
    { amount, currency: 'usd', source_types: { card: amount } },
  ]
  return {
    object: 'balance',
    available: inDollars(available),
    ...(tx.account === PLATFORM ? { connect_reserved: [{ amount: 0, currency: 'usd' }] } : {}),
    livemode: false,
    pending: inDollars(pending),
  } satisfies Stripe.Balance
}

/** Whether the money is available depends on the current date. */
export const viewTransaction = (
  tx: Tx,
  transaction: Stripe.BalanceTransaction,
): Stripe.BalanceTransaction => ({
  ...transaction,
  status: transaction.available_on > tx.now ? 'pending' : 'available',
})

export function findTransaction(tx: Tx, id: string): Stripe.BalanceTransaction | undefined {
  const row = tx.store.one<{ json: string }>(
    'select json from balance_transactions where id = ? and account = ?',
    id,
    tx.account,
  )
  return row && viewTransaction(tx, JSON.parse(row.json) as Stripe.BalanceTransaction)
}

export function defaultBalanceSettings(isEnabled: boolean): Stripe.BalanceSettings {
  return {
    object: 'balance_settings',
    payments: {
      debit_negative_balances: true,
      payouts: {
        automatic_transfer_rules_by_currency: null,
        minimum_balance_by_currency: null,
        schedule: { interval: 'daily' },
        statement_descriptor: null,
        status: isEnabled ? 'enabled' : 'disabled',
      },
      settlement_timing: { delay_days: 2, start_of_day: null },
    },
  } satisfies Stripe.BalanceSettings
}

function settingsOf(tx: Tx): { record: AccountRecord; settings: Stripe.BalanceSettings } {
  const record = findObject(asAccount(tx, PLATFORM), 'account', tx.account)
  // Our own settings belong to the processor's dashboard; the service never changes them.
  if (record === undefined)
    throw invalidRequest('The sandbox keeps balance settings for connected accounts only.')
  const settings = record.balance_settings ?? defaultBalanceSettings(payoutsAllowed(record))
  return { record, settings }
}

const schedule = object({
  interval: oneOf('daily', 'manual', 'monthly', 'weekly'),
  monthly_payout_days: list(integer({ min: 1, max: 31 })),
  weekly_payout_days: list(oneOf('monday', 'tuesday', 'wednesday', 'thursday', 'friday')),
})

export const balanceRoutes = [
  route({ method: 'GET', path: '/v1/balance', params: {}, run: (tx) => viewBalance(tx) }),

  route({
    method: 'GET',
    path: '/v1/balance_transactions',
    params: {
      ...paging,
      created: range,
      currency,
      payout: text(),
      source: text(),
      type: text(),
    },
    run(tx, { params: { created, payout, source, type, ...page }, path }) {
      const conditions = ['account = ?']
      const values: (string | number)[] = [tx.account]
      for (const [column, value] of Object.entries({ payout, source, type })) {
        if (value === undefined) continue
        conditions.push(`${column} = ?`)
        values.push(value)
      }
      addRange(conditions, values, 'created', created)
      const found = readPage<Stripe.BalanceTransaction>(tx, {
        from: tableFor({ payout, source, type }),
        conditions,
        values,
        paging: page,
        url: path,
        kind: 'balance_transaction',
      })
      return { ...found, data: found.data.map((one) => viewTransaction(tx, one)) }
    },
  }),

  route({
    method: 'GET',
    path: '/v1/balance_transactions/:id',
    params: {},
    run(tx, { ids: [id = ''] }) {
      const found = findTransaction(tx, id)
      if (found === undefined) throw notFound('balance_transaction', id)
      return found
    },
  }),

  route({
    method: 'GET',
    path: '/v1/balance_settings',
    params: {},
    run: (tx) => settingsOf(tx).settings,
  }),

  route({
    method: 'POST',
    path: '/v1/balance_settings',
    params: {
      payments: object({
        debit_negative_balances: boolean,
        payouts: object({
          minimum_balance_by_currency: metadata,
          schedule,
          statement_descriptor: text(22),
        }),
        settlement_timing: object({ delay_days_override: integer({ min: 1, max: 31 }) }),
      }),
    },
    run(tx, { params: { payments = {} as never } }) {
      const { record, settings } = settingsOf(tx)
      const changed = structuredClone(settings)
      const to = changed.payments
      const { payouts, debit_negative_balances, settlement_timing } = payments
      if (debit_negative_balances !== undefined)
        to.debit_negative_balances = debit_negative_balances
      if (settlement_timing?.delay_days_override !== undefined)
        to.settlement_timing.delay_days_override = settlement_timing.delay_days_override
      if (payouts?.schedule !== undefined) to.payouts!.schedule = cleanSchedule(payouts.schedule)
      if (payouts?.statement_descriptor !== undefined)
        to.payouts!.statement_descriptor = payouts.statement_descriptor
      if (payouts?.minimum_balance_by_currency !== undefined)
        to.payouts!.minimum_balance_by_currency = readMinimums(payouts.minimum_balance_by_currency)
      updateObject(asAccount(tx, PLATFORM), 'account', record, { balance_settings: changed })
      recordEvent(tx, 'balance_settings.updated', changed)
      return changed
    },
  }),
]

/** Names the most selective index explicitly, so that the query plan doesn't depend on statistics. */
function tableFor(given: Record<'payout' | 'source' | 'type', string | undefined>): string {
  const narrowest = (['source', 'payout', 'type'] as const).find(
    (name) => given[name] !== undefined,
  )
  return `balance_transactions indexed by balance_transactions_by_${narrowest ?? 'account'}`
}

function cleanSchedule(
  given: NonNullable<Value<typeof schedule>>,
): Stripe.BalanceSettings.Payments.Payouts.Schedule {
  const { interval, weekly_payout_days, monthly_payout_days } = given
  if (interval === 'weekly' && weekly_payout_days === undefined)
    throw invalidRequest('A weekly schedule needs weekly_payout_days.', {
      param: 'payments[payouts][schedule][weekly_payout_days]',
    })
  return {
    interval: interval ?? null,
    ...(weekly_payout_days === undefined ? {} : { weekly_payout_days }),
    ...(monthly_payout_days === undefined ? {} : { monthly_payout_days }),
  }
}

function readMinimums(given: Record<string, string>): Record<string, number> {
  const param = 'payments[payouts][minimum_balance_by_currency]'
  return Object.fromEntries(
    Object.entries(given).map(([name, amount]) => [
      name,
      integer({ min: 0 }).read(amount, `${param}[${name}]`)!,
    ]),
  )
}
