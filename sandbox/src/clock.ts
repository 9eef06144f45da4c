/** The clock of the sandbox, and what happens automatically when it advances. */
import type Stripe from 'stripe'
import { viewBalance } from './balance.ts'
import { expireSessions } from './checkout.ts'
import { recordEvent } from './events.ts'
import { bookCharge } from './payments.ts'
import { fundRefunds } from './refunds.ts'
import { readSetting, writeSetting } from './settings.ts'
import { asAccount, PLATFORM, type Tx } from './tx.ts'

/** Delay between a charge and its balance transaction when captures are asynchronous. */
const CAPTURE_SECONDS = 3600

/** Runs at the start of every transaction, so that overdue work is never visible. */
export function runDue(tx: Tx): void {
  const ours = asAccount(tx, PLATFORM)
  expireSessions(ours)
  bookCharges(ours, ours.now - CAPTURE_SECONDS)
  tellAvailable(ours)
  fundRefunds(ours)
}

/** Books the charges created up to this time; all of them with `Infinity`. */
export function bookCharges(tx: Tx, until: number): Stripe.Charge[] {
  return tx.store
    .all<{ json: string }>(
      `select json from objects indexed by charges_unbooked
         where kind = 'charge' and json_extract(json, '$.status') = 'succeeded'
           and json_extract(json, '$.balance_transaction') is null and created <= ?
         order by created limit 1000`,
      Number.isFinite(until) ? until : Number.MAX_SAFE_INTEGER,
    )
    .map(({ json }) => bookCharge(tx, JSON.parse(json) as Stripe.Charge))
}

/** Sends one `balance.available` event for all money that has become available. */
function tellAvailable(tx: Tx): void {
  const told = readSetting(tx.store, 'available_until')
  if (told >= tx.now) return
  const came = tx.store.one(
    `select 1 from balance_transactions
       where account = ? and available_on > ? and available_on <= ? and created < available_on limit 1`,
    tx.account,
    told,
    tx.now,
  )
  writeSetting(tx.store, 'available_until', tx.now)
  if (came !== undefined) recordEvent(tx, 'balance.available', viewBalance(tx))
}

export function advanceClock(tx: Tx, seconds: number): void {
  writeSetting(tx.store, 'skew_ms', readSetting(tx.store, 'skew_ms') + seconds * 1000)
  // Retries are scheduled in real time; bring them forward too, so that moving the clock doesn't have to wait for them.
  tx.store.run(`update deliveries set due_at = due_at - ? where state = 'waiting'`, seconds * 1000)
}
