/** How version 1 of the API shows a connected account. */
import type Stripe from 'stripe'
import type { AccountRecord } from './account-record.ts'

export function viewBank(record: AccountRecord): Stripe.BankAccount | undefined {
  if (record.bank === null) return undefined
  return {
    id: record.bank.id,
    object: 'bank_account',
    account: record.id,
    account_holder_name: record.legal_name,
    account_holder_type: record.entity_type,
    account_type: 'checking',
    available_payout_methods: ['standard'],
    bank_name: record.bank.bank_name,
    country: record.country,
    currency: 'usd',
    default_for_currency: true,
    fingerprint: record.bank.fingerprint,
    last4: record.bank.last4,
    metadata: {},
    routing_number: record.bank.routing_number,
    status: 'new',
  } satisfies Stripe.BankAccount
}

export const payoutsAllowed = (record: AccountRecord) =>
  record.transfers === 'active' && record.bank !== null && !record.closed

/** Information still required from the owner, by its name in both versions. */
const ASKED_AT_FIRST = [
  ['individual.first_name', 'identity.individual.given_name'],
  ['individual.last_name', 'identity.individual.surname'],
  ['individual.dob.day', 'identity.individual.date_of_birth'],
  ['external_account', 'defaults.payout_methods'],
  ['tos_acceptance.date', 'identity.attestations.terms_of_service.account.date'],
] as const
const ASKED_AGAIN = [
  ['individual.verification.document', 'identity.individual.documents.primary_verification'],
] as const

export function asked(record: AccountRecord): readonly (readonly [string, string])[] {
  if (!record.details_submitted) return ASKED_AT_FIRST
  return record.transfers === 'restricted' || record.transfers === 'pending' ? ASKED_AGAIN : []
}

export function viewAccount(record: AccountRecord): Stripe.Account {
  const names = asked(record).map(([name]) => name)
  const isPending = record.transfers === 'pending'
  const due = isPending ? [] : names
  const bank = viewBank(record)
  return {
    id: record.id,
    object: 'account',
    business_type: record.entity_type,
    capabilities: record.transfers_requested ? { transfers: firstVersionStatus(record) } : {},
    charges_enabled: false,
    controller: {
      fees: { payer: record.fees_collector === 'application' ? 'application' : 'account' },
      is_controller: true,
      losses: { payments: record.losses_collector },
      requirement_collection: 'stripe',
      stripe_dashboard: { type: record.dashboard },
      type: 'application',
    },
    country: record.country,
    created: record.created,
    default_currency: 'usd',
    details_submitted: record.details_submitted,
    email: record.email,
    external_accounts: {
      object: 'list',
      data: bank === undefined ? [] : [bank],
      has_more: false,
      url: `/v1/accounts/${record.id}/external_accounts`,
    },
    future_requirements: NO_REQUIREMENTS,
    metadata: record.metadata,
    payouts_enabled: payoutsAllowed(record),
    requirements: {
      ...NO_REQUIREMENTS,
      currently_due: due,
      disabled_reason: disabledReason(record),
      eventually_due: due,
      past_due: record.details_submitted ? due : [],
      pending_verification: isPending ? names : [],
    },
    type: 'none',
  } satisfies Stripe.Account
}

const NO_REQUIREMENTS = {
  alternatives: [],
  current_deadline: null,
  currently_due: [],
  disabled_reason: null,
  errors: [],
  eventually_due: [],
  past_due: [],
  pending_verification: [],
}

function firstVersionStatus({ transfers }: AccountRecord): 'active' | 'pending' | 'inactive' {
  return transfers === 'active' || transfers === 'pending' ? transfers : 'inactive'
}

function disabledReason(record: AccountRecord): Stripe.Account.Requirements.DisabledReason | null {
  switch (record.transfers) {
    case 'active':
      return null
    case 'pending':
      return 'requirements.pending_verification'
    case 'rejected':
      return 'rejected.other'
    default:
      return 'requirements.past_due'
  }
}

export function viewCapability(record: AccountRecord): Stripe.Capability {
  const names = asked(record).map(([name]) => name)
  const isPending = record.transfers === 'pending'
  return {
    id: 'transfers',
    object: 'capability',
    account: record.id,
    requested: record.transfers_requested,
    requested_at: record.created,
    requirements: {
      ...NO_REQUIREMENTS,
      currently_due: isPending ? [] : names,
      disabled_reason: record.transfers === 'active' ? null : 'requirements.fields_needed',
      pending_verification: isPending ? names : [],
    },
    status: firstVersionStatus(record),
  } satisfies Stripe.Capability
}
