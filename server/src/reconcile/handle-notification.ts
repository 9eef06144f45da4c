/**
 * Handle a notification. It is only a trigger: the object is always fetched again, so reordered, duplicate or lost
 * notifications affect only the timing.
 *
 *   called by   the event processor.notified; the clock, for those that were not handled
 *   moves       a notification: pending → handled, ignored, or after too many failures dead
 *   money       as its subject is settled
 *   event       none of its own
 */
import { findAnywhere } from '../kit/db.ts'
import { type Background, job, sweep } from '../kit/job.ts'
import { refreshAccount } from '../payouts/refresh-account.ts'
import { releaseAwaitingFunds } from '../payouts/release-funds.ts'
import { settleTransfer } from '../payouts/settle-transfer.ts'
import { settleWithdrawal } from '../payouts/withdraw.ts'
import { answeredIfThere, openProcessor, ProcessorSilent } from '../processor/ask.ts'
import {
  askAgain,
  dueEvents,
  endEvent,
  failEvent,
  findPending,
  type ProcessorEvent,
} from '../processor/events.ts'
import { heedFraudWarning, settleChargeback } from '../wallet/settle-chargeback.ts'
import { depositOfCharge, settleDeposit } from '../wallet/settle-deposit.ts'
import { settleRefund } from '../wallet/settle-refund.ts'
import { Work } from '../webhooks/record-event.ts'
import { showGauges } from './gauges.ts'

export const handleNotifications = job({
  name: 'processor.handle',
  payload: Work,
  attemptsMax: 3,
  events: ['processor.notified'],

  async run({ payload, ...background }) {
    await handleNotification(background, payload.data.id)
  },
})

export const notificationsDue = sweep({
  name: 'processor.notifications',
  isGlobal: true,

  due: ({ db, clock }, limit) => dueEvents(db.reader, { now: clock.now(), limit }),

  move: ({ db, clock }, rows) =>
    db.transaction((tx) => askAgain(tx, { eventIds: rows.map(({ id }) => id), now: clock.now() })),
})

export async function handleNotification(background: Background, eventId: string): Promise<void> {
  const { db, clock, log } = background
  const event = await findPending(db.reader, eventId)
  if (event === undefined) return
  const look = lookFor(event)
  try {
    await look?.(background, event)
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error)
    const becomes = await db.transaction((tx) =>
      failEvent(tx, { event, error: message, now: clock.now() }),
    )
    const about = { event_id: eventId, type: event.type, object_id: event.object_id }
    if (becomes === 'dead') {
      log.error({ ...about, error }, 'gave up on a notification')
      await showGauges(background)
    } else if (!(error instanceof ProcessorSilent))
      log.error({ ...about, error }, 'could not handle a notification')
    return
  }
  const status = look === undefined ? 'ignored' : 'handled'
  await db.transaction((tx) => endEvent(tx, { eventId, status, now: clock.now() }))
}

type Look = (background: Background, event: ProcessorEvent) => Promise<unknown>

/** Handlers for events of our own account at the processor, by notification type. */
const OWN: Record<string, Look> = {
  'checkout.session.completed': lookAtCheckout,
  'checkout.session.async_payment_succeeded': lookAtCheckout,
  'checkout.session.async_payment_failed': lookAtCheckout,
  'checkout.session.expired': lookAtCheckout,
  'charge.updated': remembered(depositOfCharge),
  'refund.created': remembered(settleRefund),
  'refund.updated': remembered(settleRefund),
  'refund.failed': remembered(settleRefund),
  'charge.dispute.created': remembered(settleChargeback),
  'charge.dispute.updated': remembered(settleChargeback),
  'charge.dispute.closed': remembered(settleChargeback),
  'charge.dispute.funds_withdrawn': remembered(settleChargeback),
  'charge.dispute.funds_reinstated': remembered(settleChargeback),
  'radar.early_fraud_warning.created': lookAtWarning,
  'transfer.created': remembered(settleTransfer),
  'transfer.updated': remembered(settleTransfer),
  'transfer.reversed': remembered(settleTransfer),
  'payout.created': lookAtWithdrawal,
  'payout.paid': lookAtWithdrawal,
  'payout.failed': lookAtWithdrawal,
  'payout.canceled': lookAtWithdrawal,
  'balance.available': releaseAwaitingFunds,
  'topup.succeeded': releaseAwaitingFunds,
}

/** Events of workers' accounts; all of them refresh the account. */
const OF_WORKERS = [
  'account.updated',
  'account.application.deauthorized',
  'account.external_account.created',
  'account.external_account.updated',
  'account.external_account.deleted',
  'capability.updated',
  'payout.failed',
]

/** Undefined if the notification can be ignored. */
export function lookFor({
  type,
  account_id,
}: Pick<ProcessorEvent, 'type' | 'account_id'>): Look | undefined {
  if (type.startsWith('v2.core.account')) return lookAtAccount
  if (account_id !== null) return OF_WORKERS.includes(type) ? lookAtAccount : undefined
  return Object.hasOwn(OWN, type) ? OWN[type] : undefined
}

/**
 * Throws when the processor can't be queried, so that the notification is retried: we may have no row to retry from.
 */
function remembered(settle: (background: Background, objectId: string) => Promise<unknown>): Look {
  return async (background, { object_id }) => {
    if ((await settle(background, object_id)) === 'waiting')
      throw new ProcessorSilent('The processor could not be queried')
  }
}

async function lookAtCheckout(
  background: Background,
  { object_id }: ProcessorEvent,
): Promise<void> {
  const known = await findAnywhere(background.db.shards, (reader) =>
    reader
      .selectFrom('deposits')
      .select('id')
      .where('session_id', '=', object_id)
      .executeTakeFirst(),
  )
  // The notification may arrive before the checkout page is recorded.
  const depositId = known?.id ?? (await depositOfCheckout(background, object_id))
  // If the processor can't be queried, the deposit's own timer retries.
  if (depositId !== undefined) await settleDeposit(background, depositId)
}

async function depositOfCheckout(
  background: Background,
  sessionId: string,
): Promise<string | undefined> {
  const outcome = await openProcessor(background).getCheckout(sessionId)
  return answeredIfThere(outcome)?.depositId
}

async function lookAtWarning(background: Background, event: ProcessorEvent): Promise<void> {
  const { charge: chargeId } = event.payload as { charge?: string }
  if (chargeId !== undefined)
    await remembered(heedFraudWarning)(background, { ...event, object_id: chargeId })
}

function lookAtWithdrawal(background: Background, { object_id }: ProcessorEvent): Promise<void> {
  return settleWithdrawal(background, object_id)
}

async function lookAtAccount(
  background: Background,
  { object_id, account_id }: ProcessorEvent,
): Promise<void> {
  const accountId = object_id.startsWith('acct_') ? object_id : account_id
  if (accountId !== null)
    await remembered(refreshAccount)(background, { object_id: accountId } as ProcessorEvent)
}
