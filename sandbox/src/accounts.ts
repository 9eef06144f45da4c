/** Connected accounts, which belong to workers: created by either version of the API, shown by both. */
import { createHash } from 'node:crypto'
import type Stripe from 'stripe'
import type { AccountRecord, CapabilityStatus } from './account-record.ts'
import { asked, viewAccount, viewBank, viewCapability } from './account-v1.ts'
import { invalidRequest } from './errors.ts'
import { recordEvent, recordThinEvent } from './events.ts'
import { getObject, insertObject, updateObject } from './objects.ts'
import { boolean, list, metadata, object, oneOf, required, text, url } from './params.ts'
import { TEST_BANK } from './pages/bank.ts'
import { newId } from './random.ts'
import { route } from './route.ts'
import { asAccount, type Tx } from './tx.ts'

export const OUTCOMES = ['verified', 'pending', 'rejected', 'needs_information'] as const
export type Outcome = (typeof OUTCOMES)[number]

const STATUS_AFTER: Record<Outcome, CapabilityStatus> = {
  verified: 'active',
  pending: 'pending',
  rejected: 'rejected',
  needs_information: 'restricted',
}

function newAccount(
  tx: Tx,
  given: Omit<
    AccountRecord,
    'id' | 'created' | 'details_submitted' | 'transfers' | 'legal_name' | 'bank' | 'closed'
  >,
): AccountRecord {
  const record: AccountRecord = {
    ...given,
    id: newId('acct', 16),
    created: tx.now,
    details_submitted: false,
    transfers: 'restricted',
    legal_name: null,
    bank: null,
    closed: false,
  }
  insertObject(tx, 'account', record)
  recordThinEvent(tx, 'v2.core.account.created', { accountId: record.id })
  return record
}

/** The owner submitted the form; `outcome` is the processor's decision. */
export function submitAccount(
  tx: Tx,
  accountId: string,
  {
    outcome,
    name,
    country,
    bank,
  }: {
    outcome: Outcome
    name?: string | undefined
    country?: string | undefined
    bank?: { routing: string; number: string } | undefined
  },
): AccountRecord {
  const record = getObject(tx, 'account', accountId)
  if (record.closed) throw invalidRequest('This account is closed.')
  const submitted = updateObject(tx, 'account', record, {
    details_submitted: true,
    legal_name: name ?? record.legal_name ?? record.display_name,
    country: country?.toUpperCase() ?? record.country,
    bank: bank === undefined && record.bank !== null ? record.bank : newBank(bank),
  })
  const theirs = asAccount(tx, accountId)
  recordEvent(theirs, 'account.external_account.created', viewBank(submitted)!)
  recordThinEvent(tx, 'v2.core.account[identity].updated', { accountId })
  const decided = setCapability(tx, submitted, STATUS_AFTER[outcome])
  recordThinEvent(tx, 'v2.core.account_link.returned', {
    accountId,
    isRelated: false,
    data: { account_id: accountId, configurations: ['recipient'], use_case: 'account_onboarding' },
  })
  return decided
}

/** Sets the account's transfers capability and records the events that report the change. */
export function setCapability(
  tx: Tx,
  record: AccountRecord,
  status: CapabilityStatus,
): AccountRecord {
  const changed = updateObject(tx, 'account', record, { transfers: status })
  const theirs = asAccount(tx, record.id)
  recordEvent(theirs, 'account.updated', viewAccount(changed))
  recordThinEvent(tx, 'v2.core.account[requirements].updated', { accountId: record.id })
  if (status === record.transfers) return changed
  recordEvent(theirs, 'capability.updated', viewCapability(changed))
  recordThinEvent(tx, 'v2.core.account[configuration.recipient].capability_status_updated', {
    accountId: record.id,
    data: { updated_capability: 'stripe_balance.stripe_transfers' },
  })
  return changed
}

export function changeBank(
  tx: Tx,
  accountId: string,
  bank: { routing: string; number: string },
): AccountRecord {
  const record = getObject(tx, 'account', accountId)
  const changed = updateObject(tx, 'account', record, { bank: newBank(bank) })
  const theirs = asAccount(tx, accountId)
  const before = viewBank(record)
  if (before !== undefined) recordEvent(theirs, 'account.external_account.deleted', before)
  recordEvent(theirs, 'account.external_account.created', viewBank(changed)!)
  recordEvent(theirs, 'account.updated', viewAccount(changed))
  return changed
}

/** The form's example stands for a bank account of one's own: it has another fingerprint each time. */
function newBank({ routing, number } = EXAMPLE): NonNullable<AccountRecord['bank']> {
  const id = newId('ba')
  const isExample = routing === EXAMPLE.routing && number === EXAMPLE.number
  const details = isExample ? id : `${routing} ${number}`
  return {
    id,
    bank_name: 'SANDBOX BANK',
    routing_number: routing,
    last4: number.slice(-4),
    fingerprint: createHash('sha256').update(details).digest('base64url').slice(0, 16),
  }
}

const EXAMPLE = { routing: TEST_BANK.routing, number: TEST_BANK.account }

const INCLUDABLE = [
  'configuration.customer',
  'configuration.merchant',
  'configuration.recipient',
  'defaults',
  'future_requirements',
  'identity',
  'requirements',
] as const
type Include = (typeof INCLUDABLE)[number]

export function viewAccountV2(
  record: AccountRecord,
  include: readonly Include[] = [],
): Stripe.V2.Core.Account {
  return {
    id: record.id,
    object: 'v2.core.account',
    applied_configurations: record.transfers_requested ? ['recipient'] : [],
    closed: record.closed,
    ...(record.email === null ? {} : { contact_email: record.email }),
    created: new Date(record.created * 1000).toISOString(),
    dashboard: record.dashboard,
    ...(record.display_name === null ? {} : { display_name: record.display_name }),
    livemode: false,
    metadata: record.metadata,
    ...(include.includes('configuration.recipient')
      ? { configuration: viewConfiguration(record) }
      : {}),
    ...(include.includes('defaults')
      ? {
          defaults: {
            currency: 'usd',
            responsibilities: {
              fees_collector: record.fees_collector,
              losses_collector: record.losses_collector,
              requirements_collector: 'stripe',
            },
          },
        }
      : {}),
    ...(include.includes('future_requirements') ? { future_requirements: { entries: [] } } : {}),
    ...(include.includes('identity')
      ? { identity: { country: record.country, entity_type: record.entity_type } }
      : {}),
    ...(include.includes('requirements') ? { requirements: viewRequirements(record) } : {}),
  } satisfies Stripe.V2.Core.Account
}

function viewConfiguration(record: AccountRecord): Stripe.V2.Core.Account.Configuration {
  if (!record.transfers_requested) return { recipient: { applied: false } }
  const capability = { status: record.transfers, status_details: statusDetails(record) }
  return {
    recipient: {
      applied: true,
      capabilities: { stripe_balance: { payouts: capability, stripe_transfers: capability } },
    },
  }
}

function statusDetails(
  record: AccountRecord,
): Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers['status_details'] {
  switch (record.transfers) {
    case 'active':
      return []
    case 'pending':
      return [{ code: 'requirements_pending_verification', resolution: 'no_resolution' }]
    case 'rejected':
      return [{ code: 'rejected_other', resolution: 'no_resolution' }]
    case 'restricted':
      return [{ code: 'requirements_past_due', resolution: 'provide_info' }]
    case 'unsupported':
      return [{ code: 'unsupported_country', resolution: 'no_resolution' }]
  }
}

function viewRequirements(record: AccountRecord): Stripe.V2.Core.Account.Requirements {
  const isPending = record.transfers === 'pending'
  const status = record.details_submitted ? 'past_due' : 'currently_due'
  const entries = asked(record).map(
    ([, description]) =>
      ({
        awaiting_action_from: isPending ? 'stripe' : 'user',
        description,
        errors: [],
        impact: {
          restricts_capabilities: [
            {
              capability: 'stripe_balance.stripe_transfers',
              configuration: 'recipient',
              deadline: { status },
            },
          ],
        },
        minimum_deadline: { status },
        requested_reasons: [{ code: 'routine_onboarding' }],
      }) satisfies Stripe.V2.Core.Account.Requirements.Entry,
  )
  return { entries, ...(entries.length === 0 ? {} : { summary: { minimum_deadline: { status } } }) }
}

const requested = object({ requested: required(boolean) })
const include = list(oneOf(...INCLUDABLE))

export const accountRoutes = [
  route({
    method: 'POST',
    path: '/v2/core/accounts',
    params: {
      contact_email: text(512),
      contact_phone: text(),
      display_name: text(),
      dashboard: oneOf('express', 'full', 'none'),
      identity: object({
        country: required(text(2)),
        entity_type: oneOf('individual', 'company'),
      }),
      configuration: object({
        recipient: object({
          capabilities: object({
            stripe_balance: object({ stripe_transfers: requested }),
          }),
        }),
      }),
      defaults: object({
        currency: text(3),
        locales: list(text()),
        profile: object({
          business_url: url,
          doing_business_as: text(),
          product_description: text(),
        }),
        responsibilities: object({
          fees_collector: required(oneOf('application', 'stripe')),
          losses_collector: required(oneOf('application', 'stripe')),
        }),
      }),
      metadata,
      include,
    },
    run(tx, { params }) {
      const { fees_collector = 'stripe', losses_collector = 'stripe' } =
        params.defaults?.responsibilities ?? {}
      const dashboard = params.dashboard ?? 'full'
      if (dashboard === 'express' && losses_collector === 'stripe')
        throw invalidRequest(
          'An account with the Express Dashboard needs defaults.responsibilities.losses_collector to be application.',
          { param: 'defaults[responsibilities][losses_collector]' },
        )
      const record = newAccount(tx, {
        email: params.contact_email ?? null,
        display_name: params.display_name ?? null,
        country: (params.identity?.country ?? 'US').toUpperCase(),
        entity_type: params.identity?.entity_type ?? 'individual',
        dashboard,
        fees_collector,
        losses_collector,
        metadata: params.metadata ?? {},
        transfers_requested:
          params.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers
            ?.requested ?? false,
      })
      return viewAccountV2(record, params.include)
    },
  }),

  route({
    method: 'GET',
    path: '/v2/core/accounts/:id',
    params: { include },
    run: (tx, { ids: [id = ''], params }) =>
      viewAccountV2(getObject(tx, 'account', id), params.include),
  }),

  route({
    method: 'POST',
    path: '/v2/core/accounts/:id/close',
    params: { applied_configurations: list(oneOf('customer', 'merchant', 'recipient')) },
    run(tx, { ids: [id = ''] }) {
      const record = getObject(tx, 'account', id)
      if (record.closed) return viewAccountV2(record)
      const closed = updateObject(tx, 'account', record, { closed: true, transfers: 'restricted' })
      const theirs = asAccount(tx, id)
      recordThinEvent(tx, 'v2.core.account.closed', { accountId: id })
      recordEvent(theirs, 'account.updated', viewAccount(closed))
      recordEvent(theirs, 'account.application.deauthorized', {
        id: 'ca_sandbox',
        object: 'application',
        name: 'Sandbox',
      })
      return viewAccountV2(closed)
    },
  }),

  route({
    method: 'POST',
    path: '/v1/accounts',
    params: {
      type: oneOf('custom', 'express', 'standard'),
      controller: object({
        fees: object({ payer: oneOf('account', 'application') }),
        losses: object({ payments: oneOf('application', 'stripe') }),
        requirement_collection: oneOf('application', 'stripe'),
        stripe_dashboard: object({ type: oneOf('express', 'full', 'none') }),
      }),
      capabilities: object({ transfers: requested, card_payments: requested }),
      country: text(2),
      email: text(512),
      business_type: oneOf('company', 'individual'),
      metadata,
    },
    run(tx, { params: { type, controller, ...params } }) {
      if (type !== undefined && controller !== undefined)
        throw invalidRequest('You may only specify one of these parameters: type, controller.', {
          param: 'type',
        })
      const isExpress = type === 'express' || controller?.stripe_dashboard?.type === 'express'
      const record = newAccount(tx, {
        email: params.email ?? null,
        display_name: null,
        country: (params.country ?? 'US').toUpperCase(),
        entity_type: params.business_type ?? 'individual',
        dashboard: isExpress ? 'express' : (controller?.stripe_dashboard?.type ?? 'full'),
        fees_collector:
          controller?.fees?.payer === 'application' || isExpress ? 'application' : 'stripe',
        losses_collector: controller?.losses?.payments ?? (isExpress ? 'application' : 'stripe'),
        metadata: params.metadata ?? {},
        transfers_requested: params.capabilities?.transfers?.requested ?? false,
      })
      return viewAccount(record)
    },
  }),

  route({
    method: 'GET',
    path: '/v1/accounts/:id',
    params: {},
    run: (tx, { ids: [id = ''] }) => viewAccount(getObject(tx, 'account', id)),
  }),
]
