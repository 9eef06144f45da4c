/** What every operation is given: the tables inside a transaction, the time, and on whose books it works. */
import type { Store } from './store.ts'

/** The account that is ours: its balance is the one that deposits reach and that workers are paid from. */
export const PLATFORM = 'platform'

export interface Tx {
  store: Store
  /** The clock of the sandbox, in seconds as the API counts them, and in milliseconds. */
  now: number
  nowMs: number
  /** `platform`, or the connected account that the header `Stripe-Account` names. */
  account: string
  /** Where a browser reaches the hosted pages. */
  publicUrl: string
  /** Which request causes what happens here; nulls when it is a person or the clock. */
  request: { id: string | null; idempotency_key: string | null }
}

/** The same transaction, on the books of another account. */
export const asAccount = (tx: Tx, account: string): Tx => ({ ...tx, account })
