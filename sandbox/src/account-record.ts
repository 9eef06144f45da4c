/** A connected account, as the sandbox stores it. */
import type Stripe from 'stripe'

export type CapabilityStatus =
  Stripe.V2.Core.Account.Configuration.Recipient.Capabilities.StripeBalance.StripeTransfers['status']

export interface AccountRecord {
  id: string
  created: number
  email: string | null
  display_name: string | null
  country: string
  entity_type: 'individual' | 'company'
  dashboard: 'express' | 'full' | 'none'
  fees_collector: 'application' | 'stripe'
  losses_collector: 'application' | 'stripe'
  metadata: Stripe.Metadata
  /** Whether the account requested the transfers capability. */
  transfers_requested: boolean
  /** The owner has submitted the onboarding form. */
  details_submitted: boolean
  transfers: CapabilityStatus
  legal_name: string | null
  bank: {
    id: string
    bank_name: string
    routing_number: string
    last4: string
    /** The same for the same bank details, on any account. */
    fingerprint: string
  } | null
  closed: boolean
  balance_settings?: Stripe.BalanceSettings
}
