/**
 * Reopen an account that its owner closed while we still owed them money. It gets the email that the owner gives, and a
 * mailed link to choose a password. The owner can then add a bank account, be paid, and close the account again.
 *
 *   called by   an operator, who has checked who is asking
 *   moves       the worker: closed → active
 *   money       none
 *   event       mail.requested (ours): mails the link
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { requestMail } from '../webhooks/record-event.ts'
import { lockWorker, type Refused } from './decisions.ts'
import type { Worker } from './queries.ts'

export async function reopenWorker(
  tx: Tx,
  { workerId, email, now }: { workerId: string; email: string; now: Date },
): Promise<Worker | Refused> {
  const worker = await lockWorker(tx, workerId)
  if (worker === undefined) return { refusal: `Worker ${workerId} does not exist` }
  if (worker.closed_at === null)
    return { refusal: `${workerId} is ${worker.status}, and was not closed by its owner` }
  const { numInsertedOrUpdatedRows: isFree } = await tx
    .insertInto('worker_emails')
    .values({ email: email.toLowerCase(), worker_id: workerId })
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst()
  if (!isFree)
    return { refusal: 'Another worker has this email; the owner must give a different one' }
  const reopened = await tx
    .updateTable('workers')
    .set({
      status: 'active',
      email,
      closed_at: null,
      session_version: sql`session_version + 1`,
      updated_at: now,
    })
    .where('id', '=', workerId)
    .returningAll()
    .executeTakeFirstOrThrow()
  // The last mail may not be sent yet; its address must not be erased later.
  await tx.deleteFrom('worker_closings').where('worker_id', '=', workerId).execute()
  await requestMail(tx, { workerId, template: 'reset', now })
  return reopened
}
