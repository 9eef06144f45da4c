/** The context of every operation: the database inside a transaction, the time, and the account it works for. */
import type { Store } from './store.ts'

/** Our own account: deposits go to its balance, and workers are paid from it. */
export const PLATFORM = 'platform'

export interface Tx {
  store: Store
  /** The sandbox's clock, in seconds as in the API, and in milliseconds. */
  now: number
  nowMs: number
  /** `platform`, or the connected account in the `Stripe-Account` header. */
  account: string
  /** Base URL of the hosted pages. */
  publicUrl: string
  /** The request that causes the changes; nulls if it is a person or the clock. */
  request: { id: string | null; idempotency_key: string | null }
}

/** The same transaction, on the books of another account. */
export const asAccount = (tx: Tx, account: string): Tx => ({ ...tx, account })
