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
import type { Db, Tx } from '../kit/db.ts'
import { requestMail } from '../webhooks/record-event.ts'
import { lockWorker, type Refused } from './decisions.ts'
import { byId, type Worker, workerIdOf } from './queries.ts'

interface ReopenWorker {
  workerId: string
  email: string
  now: Date
}

/** Reserves the address first: otherwise the owner could have an account without a way to log in. */
export async function reopenWorker(
  { shards }: Db,
  request: ReopenWorker,
): Promise<Worker | Refused> {
  const { workerId, email } = request
  const db = shards.at(workerId)
  const refused = refusalToReopen(workerId, await byId(db.reader, workerId))
  if (refused !== undefined) return refused
  if (!(await reserveEmail(shards.global, { workerId, email })))
    return { refusal: 'Another worker has this email; the owner must give a different one' }
  return db.transaction((tx) => reopenClosed(tx, request))
}

/** Why it can't be done, in words for the operator. */
export function refusalToReopen(workerId: string, worker: Worker | undefined): Refused | undefined {
  if (worker === undefined) return { refusal: `Worker ${workerId} does not exist` }
  if (worker.closed_at === null)
    return { refusal: `${workerId} is ${worker.status}, and was not closed by its owner` }
  return undefined
}

/** Succeeds again for the same worker, if an earlier attempt stopped after it. */
const reserveEmail = (
  global: Db,
  { workerId, email }: { workerId: string; email: string },
): Promise<boolean> =>
  global.transaction(async (tx) => {
    await tx
      .insertInto('worker_emails')
      .values({ email: email.toLowerCase(), worker_id: workerId })
      .onConflict((conflict) => conflict.doNothing())
      .execute()
    return (await workerIdOf(tx, email)) === workerId
  })

async function reopenClosed(
  tx: Tx,
  { workerId, email, now }: ReopenWorker,
): Promise<Worker | Refused> {
  const refused = refusalToReopen(workerId, await lockWorker(tx, workerId))
  if (refused !== undefined) return refused
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
