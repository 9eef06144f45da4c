/** The dashboard's actions on each kind of object, as control API calls. The operator acts as the payer or the bank. */
import type Stripe from 'stripe'
import type { AccountRecord } from '../../account-record.ts'
import { OUTCOMES } from '../../accounts.ts'
import { balanceOf } from '../../balance.ts'
import { PAYOUT_FAILURES } from '../../bank-payouts.ts'
import { TEST_CARDS } from '../../cards.ts'
import type { Found } from '../../inspect.ts'
import { findObject, type Kind, type Objects } from '../../objects.ts'
import { asAccount, PLATFORM, type Tx } from '../../tx.ts'
import { inGroups } from '../card-fields.ts'
import { type Fields, field } from '../forms.ts'
import { html, type Html } from '../html.ts'
import { centsOf, dollars, words } from '../wording.ts'

export interface Action {
  /** Name in the URL. */
  name: string
  label: string
  tone?: 'danger'
  inputs?: Html
  /** Path in the control API; `body` builds the request from the form. */
  path: string
  body?: (fields: Fields) => Record<string, unknown>
}

const named = (names: readonly string[]) => names.map((name) => [name, words(name)] as const)

const ACTIONS: { [K in Kind]?: (object: Objects[K], tx: Tx) => Action[] } = {
  'checkout.session': sessionActions,
  charge: chargeActions,
  refund: refundActions,
  dispute: disputeActions,
  account: accountActions,
  payout: payoutActions,
  topup: ({ id, status }) =>
    status === 'succeeded'
      ? [
          {
            name: 'reverse',
            label: 'Reverse',
            tone: 'danger',
            path: `topups/${id}/reverse`,
          },
        ]
      : [],
}

/** Success messages. They are kept apart from the actions, which may no longer be offered afterward. */
const DONE: Record<string, string> = {
  'checkout.session pay': 'It is paid, or its debit was sent to the bank.',
  'checkout.session expire': 'The session has expired.',
  'checkout.session settle': 'The bank paid the debit.',
  'checkout.session fail': 'The bank rejected the debit.',
  'charge capture': 'The charge is in the balance.',
  'charge refund': 'The charge was refunded to the payer.',
  'charge dispute': 'The payer disputed it; the bank took the money back.',
  'charge warn': 'The card network warns of fraud. No money moved.',
  'refund fail': 'The refund failed; the money is back in our balance.',
  'refund succeed': 'The refund reached the payer.',
  'dispute won': 'The dispute was won: the money is back, but not the fee.',
  'dispute lost': 'The dispute was lost.',
  'dispute warning_closed': 'The inquiry was closed.',
  'dispute escalate': 'The inquiry is a dispute now; the bank took the money back.',
  'account submit': 'The onboarding form was submitted.',
  'account capability': 'The account was updated.',
  'account payout': 'The available balance is on its way to the bank.',
  'payout paid': 'The payout arrived.',
  'payout failed': 'The payout failed; the money is back in the balance.',
  'topup reverse': 'The bank reversed the top-up.',
}

export const doneText = ({ kind }: Found, action: string): string | undefined =>
  DONE[`${kind} ${action}`]

export function actionsOf(tx: Tx, { kind, object, account }: Found): Action[] {
  // A connected account's side of a transfer is also a charge, but it can't be disputed.
  if (kind === 'charge' && account !== PLATFORM) return []
  // The table has a function for each kind; which one applies is known only at run time.
  const find = ACTIONS[kind] as ((object: unknown, tx: Tx) => Action[]) | undefined
  return find?.(object, tx) ?? []
}

function sessionActions(session: Stripe.Checkout.Session, tx: Tx): Action[] {
  const path = `sessions/${session.id}`
  if (session.status === 'open') {
    const cards = TEST_CARDS.map(
      ({ number, label }) => [number, `${inGroups(number)} · ${label}`] as const,
    )
    return [
      {
        name: 'pay',
        label: 'Pay',
        inputs: field({
          name: 'card',
          label: 'Pay with',
          options: [...cards, ['bank_debit', 'Bank debit · confirmed later']],
        }),
        path: `${path}/pay`,
        body: (fields) => ({ card: fields('card') }),
      },
      {
        name: 'expire',
        label: 'Expire',
        tone: 'danger',
        path: `${path}/expire`,
      },
    ]
  }
  const intent =
    typeof session.payment_intent === 'string'
      ? findObject(tx, 'payment_intent', session.payment_intent)
      : undefined
  if (intent?.status !== 'processing') return []
  return [
    {
      name: 'settle',
      label: 'The bank pays it',
      path: `${path}/settle`,
      body: () => ({ ok: true }),
    },
    {
      name: 'fail',
      label: 'The bank rejects it',
      tone: 'danger',
      path: `${path}/settle`,
      body: () => ({ ok: false }),
    },
  ]
}

const REASONS = [
  'fraudulent',
  'product_not_received',
  'duplicate',
  'unrecognized',
  'credit_not_processed',
  'general',
]

function chargeActions(charge: Stripe.Charge): Action[] {
  if (charge.status !== 'succeeded') return []
  const path = `charges/${charge.id}`
  const actions: Action[] = []
  if (charge.balance_transaction === null)
    actions.push({
      name: 'capture',
      label: 'Capture now',
      path: `${path}/capture`,
    })
  if (charge.disputed) return actions
  const left = charge.amount - charge.amount_refunded
  if (left > 0)
    actions.push({
      name: 'refund',
      label: 'Refund',
      inputs: amountField('refund_amount', 'Amount to refund', left),
      path: `${path}/refund`,
      body: (fields) => amountOf(fields('refund_amount')),
    })
  actions.push({
    name: 'dispute',
    label: 'Dispute',
    tone: 'danger',
    inputs: html`${amountField('amount', 'Amount to dispute', charge.amount)}
${field({ name: 'reason', label: 'Reason', options: named(REASONS) })}`,
    path: `${path}/dispute`,
    body: (fields) => ({ reason: fields('reason'), ...amountOf(fields('amount')) }),
  })
  actions.push({
    name: 'warn',
    label: 'Warn of fraud',
    path: `${path}/warn`,
  })
  return actions
}

const amountField = (name: string, label: string, cents: number) =>
  field({
    name,
    label,
    inputmode: 'decimal',
    autocomplete: 'off',
    isOptional: true,
    placeholder: dollars(cents).slice(1),
  })

/** An empty amount means all of it; an unreadable one is passed on, so that the control API rejects it by name. */
const amountOf = (typed: string): { amount?: unknown } =>
  typed === '' ? {} : { amount: centsOf(typed) ?? typed }

function refundActions({ id, status }: Stripe.Refund): Action[] {
  const fail: Action = {
    name: 'fail',
    label: 'The bank returns it',
    tone: 'danger',
    path: `refunds/${id}/fail`,
  }
  if (status === 'succeeded') return [fail]
  const succeed = {
    name: 'succeed',
    label: 'The bank accepts it',
    path: `refunds/${id}/succeed`,
  }
  return status === 'pending' ? [succeed, fail] : []
}

function disputeActions({ id, status }: Stripe.Dispute): Action[] {
  const close = (name: string, label: string): Action => ({
    name,
    label,
    path: `disputes/${id}/close`,
    body: () => ({ status: name }),
  })
  if (status === 'warning_closed') return []
  if (status.startsWith('warning_'))
    return [
      close('warning_closed', 'Close the inquiry'),
      {
        name: 'escalate',
        label: 'Escalate to a dispute',
        tone: 'danger',
        path: `disputes/${id}/escalate`,
      },
    ]
  if (status === 'won' || status === 'lost') return []
  return [close('won', 'We win'), { ...close('lost', 'We lose'), tone: 'danger' }]
}

function accountActions(account: AccountRecord, tx: Tx): Action[] {
  if (account.closed) return []
  const path = `accounts/${account.id}`
  const actions: Action[] = [
    {
      name: 'capability',
      label: 'Set',
      inputs: field({
        name: 'status',
        label: 'Can receive transfers',
        value: account.transfers,
        options: named(['active', 'pending', 'restricted', 'rejected', 'unsupported']),
      }),
      path: `${path}/capability`,
      body: (fields) => ({ status: fields('status') }),
    },
  ]
  if (!account.details_submitted)
    actions.unshift({
      name: 'submit',
      label: 'Submit',
      inputs: field({
        name: 'outcome',
        label: 'Fill in the onboarding form',
        options: named(OUTCOMES),
      }),
      path: `${path}/submit`,
      body: (fields) => ({ outcome: fields('outcome') }),
    })
  const { available } = balanceOf(asAccount(tx, account.id))
  if (available > 0)
    actions.push({
      name: 'payout',
      label: `Pay out ${dollars(available)}, as on schedule`,
      path: `${path}/payout`,
    })
  return actions
}

function payoutActions({ id, status }: Stripe.Payout): Action[] {
  const path = `payouts/${id}`
  const paid: Action = {
    name: 'paid',
    label: 'It arrives',
    path,
    body: () => ({ status: 'paid' }),
  }
  const failed: Action = {
    name: 'failed',
    label: 'It fails',
    tone: 'danger',
    inputs: field({
      name: 'code',
      label: 'Reason for the failure',
      options: named(PAYOUT_FAILURES),
    }),
    path,
    body: (fields) => ({ status: 'failed', code: fields('code') }),
  }
  if (status === 'pending' || status === 'in_transit') return [paid, failed]
  // A bank may report days later that a payout it had confirmed has failed.
  return status === 'paid' ? [failed] : []
}
