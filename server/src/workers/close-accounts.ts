/**
 * Close accounts whose owners asked for it, once the grace period has passed and nothing is open. A balance that has no
 * bank account to go to delays the closing: the worker is reminded every month, and after ACCOUNT_CLOSING_MAX_DAYS the
 * account is closed although we still owe the balance (`ops unclaimed`).
 *
 *   called by   the clock, at the end of the grace period, then daily until the account is closed
 *   moves       the worker: closing → closed
 *   money       none
 *   event       worker.closed or worker.closing_waits (ours): notify the worker by email
 */
import type { Config } from '../config.ts'
import { call, callForValue } from '../kit/call.ts'
import type { Db, Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { closesAnywayAt, DAY_MS, erasedEmail, openItems } from './closings.ts'
import { lockWorker } from './decisions.ts'
import { payoutStatusOf } from './profile.ts'
import { byId, type Worker } from './queries.ts'

const REMIND_MS = 30 * DAY_MS
/** The address is erased by then, even if the mail server has not accepted the last mail. */
const LAST_MAIL_MS = 7 * DAY_MS

export const closeAccounts = sweep({
  name: 'workers.close-accounts',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('worker_closings')
      .select('worker_id as id')
      .where('look_at', '<=', clock.now())
      .orderBy('look_at')
      .limit(limit)
      .execute(),

  // Workers are on different shards, so each gets its own transaction.
  async move({ db, clock, config, log }, rows) {
    const now = clock.now()
    let moved = 0
    for (const { id } of rows) {
      const found = await db.transaction((tx) => lookAtClosing(tx, { workerId: id, config, now }))
      if (found !== 'nothing') moved += 1
      if (found === 'closed') await forgetAddresses(db, id)
      if (found === 'mail unsent') await forgetEmail(db, { workerId: id, now })
      // After a restore from a backup, the log tells which accounts must be closed again.
      if (found === 'closed') log.info({ worker_id: id }, 'an account was closed')
    }
    return moved
  },
})

async function lookAtClosing(
  tx: Tx,
  { workerId, config, now }: { workerId: string; config: Config; now: Date },
): Promise<'nothing' | 'waits' | 'closed' | 'mail unsent'> {
  const worker = await lockWorker(tx, workerId)
  const closing = await tx
    .selectFrom('worker_closings')
    .select('reminded_at')
    .where('worker_id', '=', workerId)
    .where('look_at', '<=', now)
    .executeTakeFirst()
  if (worker === undefined || closing === undefined) return 'nothing'
  if (worker.closed_at !== null) return 'mail unsent'
  // A suspended worker can't keep the account, so the closing waits for the end of the suspension.
  if (worker.status === 'active' && (await canClose(tx, worker, { config, now }))) {
    await call(tx, 'workers_close', {
      p_worker: workerId,
      p_now: now,
      p_mail_until: new Date(now.getTime() + LAST_MAIL_MS),
    })
    await requestWork(tx, [{ type: 'worker.closed', id: workerId }], { now })
    return 'closed'
  }
  const isReminded = await remind(tx, worker, { lastAt: closing.reminded_at, now })
  await tx
    .updateTable('worker_closings')
    .set({
      look_at: new Date(now.getTime() + DAY_MS),
      ...(isReminded ? { reminded_at: now } : {}),
    })
    .where('worker_id', '=', workerId)
    .execute()
  return 'waits'
}

async function canClose(
  tx: Tx,
  { id: workerId, closing_at }: Worker,
  { config, now }: { config: Config; now: Date },
): Promise<boolean> {
  const open = await openItems(tx, { workerId, config, now })
  if (open.tasks_in_progress + open.under_review + open.disputes + open.in_transit > 0) return false
  return open.owed_cents === 0 || closesAnywayAt(closing_at!, config) <= now
}

/** Only the worker can add a bank account. All else that an account waits for ends without them. */
async function remind(
  tx: Tx,
  { id: workerId, status }: Worker,
  { lastAt, now }: { lastAt: Date | null; now: Date },
): Promise<boolean> {
  if (status !== 'active') return false
  if (lastAt !== null && now.getTime() - lastAt.getTime() < REMIND_MS) return false
  if ((await payoutStatusOf(tx, workerId)) === 'active') return false
  const { payable_cents } = await tx
    .selectFrom('ledger_workers')
    .select('payable_cents')
    .where('worker_id', '=', workerId)
    .executeTakeFirstOrThrow()
  if (payable_cents === 0) return false
  await requestWork(tx, [{ type: 'worker.closing_waits', id: workerId }], { now })
  return true
}

/** Erases the address of a closed account, which was kept for the last mail only. */
export async function forgetEmail(
  db: Db,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  const worker = await byId(db.reader, workerId)
  if (worker === undefined || worker.closed_at === null) return
  await forgetAddresses(db, workerId)
  await db.transaction((tx) => eraseEmail(tx, { workerId, now }))
}

/**
 * Erases the addresses of a closed account that are global. This happens again before the account's row in
 * worker_closings is deleted, so a process that stops after closing an account leaves nothing behind.
 */
export const forgetAddresses = ({ shards }: Db, workerId: string) =>
  callForValue(shards.global, 'workers_forget_emails', { p_worker: workerId })

export async function eraseEmail(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<void> {
  const { numUpdatedRows } = await tx
    .updateTable('workers')
    .set({ email: erasedEmail(workerId), app_language: 'en', updated_at: now })
    .where('id', '=', workerId)
    .where('closed_at', 'is not', null)
    .executeTakeFirst()
  if (numUpdatedRows > 0n)
    await tx.deleteFrom('worker_closings').where('worker_id', '=', workerId).execute()
}
