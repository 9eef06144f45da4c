/**
 * Ask to close one's account. Until the grace period ends, the worker can log in, be paid and keep the account, but
 * accepts no tasks. Asking again changes nothing.
 *
 *   called by   a worker who has no task in progress
 *   moves       the worker: active → closing
 *   money       none; failed payouts are sent again (payouts/pay-before-closing.ts)
 *   event       worker.closing (ours): notifies the worker by email
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { ClosingView, DAY_MS, viewClosing } from './closings.ts'
import { lockWorker } from './decisions.ts'
import { tasksInProgress, testWorker, wrongPassword } from './errors.ts'
import { CurrentPassword, provePassword } from './prove-password.ts'
import { callingWorker, type Worker } from './queries.ts'

export const closeAccount = endpoint({
  method: 'POST',
  path: '/worker/close',
  name: 'closeWorkerAccount',
  auth: 'worker',
  access: { mode: 'live' },
  limits: ['login'],
  summary: 'Ask to close your account',
  description:
    'The account is closed after `grace_days`, once all work is reviewed and all money paid out. ' +
    'Until then you see no tasks, and `DELETE /worker/close` keeps the account. At the end we erase ' +
    'your name, email, password and profile; records of payments stay, without your name.',
  body: z.object({ current_password: CurrentPassword }),
  success: { status: 202, body: z.object({ closing: ClosingView }) },
  errors: [wrongPassword, testWorker, tasksInProgress],

  transaction: 'own',
  async handler({ db, worker: { id: workerId }, body, now, config, warnings, once }) {
    const worker = await callingWorker(db.reader, workerId)
    await provePassword(worker, body.current_password)
    return once(async (tx) => {
      const closing = await requestClosing(tx, { workerId, config, now })
      return answerWith(202, { closing: await viewClosing(tx, closing, { config, now }) }, warnings)
    })
  },
})

async function requestClosing(
  tx: Tx,
  { workerId, config, now }: { workerId: string; config: Config; now: Date },
): Promise<Worker> {
  const worker = await lockWorker(tx, workerId)
  // An operator has shut the worker out since the password was proven.
  if (worker?.status !== 'active') throw wrongPassword()
  if (worker.closing_at !== null) return worker
  const held = await tx
    .selectFrom('worker_assignments')
    .select('task_id')
    .where('worker_id', '=', workerId)
    .where('status', '=', 'accepted')
    .orderBy('id')
    .execute()
  if (held.length > 0) throw tasksInProgress({ task_ids: held.map(({ task_id }) => task_id) })
  const closes_at = new Date(now.getTime() + config.ACCOUNT_CLOSING_DAYS * DAY_MS)
  const closing = await tx
    .updateTable('workers')
    .set({ closing_at: now, closes_at, updated_at: now })
    .where('id', '=', workerId)
    .returningAll()
    .executeTakeFirstOrThrow()
  await tx
    .insertInto('worker_closings')
    .values({ worker_id: workerId, look_at: closes_at })
    .execute()
  await requestWork(tx, [{ type: 'worker.closing', id: workerId }], { now })
  return closing
}
