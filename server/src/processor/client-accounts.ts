/**
 * Workers' accounts. New platforms should use the processor's v2 accounts API and may be refused by v1; older platforms
 * may have only v1. CONNECT_ACCOUNTS_API selects the version.
 */
import type Stripe from 'stripe'
import type { Call } from './client-call.ts'
import { type Account, date, oneOf } from './client-objects.ts'
import type { Outcome } from './outcome.ts'

const INCLUDE: Stripe.V2.Core.AccountCreateParams.Include[] = [
  'configuration.recipient',
  'requirements',
]

const TRANSFERS = ['active', 'pending', 'restricted', 'rejected', 'unsupported'] as const

export interface NewAccount {
  workerId: string
  email: string
  name: string
  /** Two capital letters. */
  country: string
  /** How many accounts the worker had before: each gets its own idempotency key. */
  replacedCount?: number
}

export interface NewOnboardingLink {
  accountId: string
  refreshUrl: string
  returnUrl: string
}

export interface Link {
  url: string
  expiresAt: Date
}

export interface Accounts {
  create(account: NewAccount): Promise<Outcome<Account>>
  get(accountId: string): Promise<Outcome<Account>>
  createOnboardingLink(link: NewOnboardingLink): Promise<Outcome<Link>>
}

export function accountsV2(call: Call): Accounts {
  return {
    create: ({ workerId, email, name, country, replacedCount }) =>
      call(
        { object: 'v2.core.account' },
        (stripe) =>
          stripe.v2.core.accounts.create(
            {
              contact_email: email,
              display_name: name,
              dashboard: 'express',
              identity: { country: country.toLowerCase(), entity_type: 'individual' },
              configuration: {
                recipient: {
                  capabilities: { stripe_balance: { stripe_transfers: { requested: true } } },
                },
              },
              defaults: {
                responsibilities: {
                  fees_collector: 'application',
                  losses_collector: 'application',
                },
              },
              metadata: { worker_id: workerId },
              include: INCLUDE,
            },
            { idempotencyKey: keyOf({ workerId, replacedCount }) },
          ),
        fromV2,
      ),

    get: (accountId) =>
      call(
        { object: 'v2.core.account' },
        (stripe) => stripe.v2.core.accounts.retrieve(accountId, { include: INCLUDE }),
        fromV2,
      ),

    createOnboardingLink: ({ accountId, refreshUrl, returnUrl }) =>
      call(
        { object: 'v2.core.account_link', hasId: false },
        (stripe) =>
          stripe.v2.core.accountLinks.create({
            account: accountId,
            use_case: {
              type: 'account_onboarding',
              account_onboarding: {
                refresh_url: refreshUrl,
                return_url: returnUrl,
                collection_options: { fields: 'eventually_due' },
              },
            },
          }),
        (link) => ({ url: urlOf(link), expiresAt: new Date(link.expires_at) }),
      ),
  }
}

export function accountsV1(call: Call): Accounts {
  return {
    create: ({ workerId, email, country, replacedCount }) =>
      call(
        { object: 'account' },
        (stripe) =>
          stripe.accounts.create(
            {
              controller: {
                stripe_dashboard: { type: 'express' },
                fees: { payer: 'application' },
                losses: { payments: 'application' },
                requirement_collection: 'stripe',
              },
              capabilities: { transfers: { requested: true } },
              business_type: 'individual',
              country,
              email,
              metadata: { worker_id: workerId },
            },
            { idempotencyKey: keyOf({ workerId, replacedCount }) },
          ),
        fromV1,
      ),

    get: (accountId) =>
      call({ object: 'account' }, (stripe) => stripe.accounts.retrieve(accountId), fromV1),

    createOnboardingLink: ({ accountId, refreshUrl, returnUrl }) =>
      call(
        { object: 'account_link', hasId: false },
        (stripe) =>
          stripe.accountLinks.create({
            account: accountId,
            type: 'account_onboarding',
            refresh_url: refreshUrl,
            return_url: returnUrl,
            collection_options: { fields: 'eventually_due' },
          }),
        (link) => ({ url: urlOf(link), expiresAt: date(link.expires_at) }),
      ),
  }
}

/** One account per worker, however often it is requested. */
const keyOf = ({
  workerId,
  replacedCount = 0,
}: {
  workerId: string
  replacedCount: number | undefined
}) => (replacedCount === 0 ? `acct_${workerId}` : `acct_${workerId}_${replacedCount}`)

export function urlOf({ url }: { url: string | null }): string {
  if (url === null || !URL.canParse(url)) throw new TypeError('no address')
  return url
}

function fromV2(raw: Stripe.V2.Core.Account): Account {
  const status =
    raw.configuration?.recipient?.capabilities?.stripe_balance?.stripe_transfers?.status
  const entries = raw.requirements?.entries ?? []
  const due = entries
    .filter(({ awaiting_action_from: from }) => from === 'user')
    .filter(({ minimum_deadline: { status } }) => status !== 'eventually_due')
    .map(({ description }) => description)
  return {
    id: raw.id,
    workerId: raw.metadata?.worker_id,
    transfers: oneOf(status ?? 'unsupported', TRANSFERS),
    requirementsDue: [...new Set(due)],
    // This API has no such field: treat onboarding as complete when no requirements are due.
    detailsSubmitted: due.length === 0,
    isClosed: raw.closed === true,
  }
}

function fromV1(raw: Stripe.Account): Account {
  const { currently_due: current, past_due: past, disabled_reason: reason } = raw.requirements ?? {}
  const status = raw.capabilities?.transfers
  return {
    id: raw.id,
    workerId: raw.metadata?.worker_id,
    transfers: transfersOf(status, reason),
    requirementsDue: [...new Set([...(past ?? []), ...(current ?? [])])],
    detailsSubmitted: raw.details_submitted,
    isClosed: 'deleted' in raw && Boolean(raw.deleted),
  }
}

function transfersOf(status: string | undefined, reason: string | null | undefined) {
  if (status === 'active' || status === 'pending') return status
  if (reason?.startsWith('rejected.')) return 'rejected'
  return status === undefined ? 'unsupported' : 'restricted'
}
