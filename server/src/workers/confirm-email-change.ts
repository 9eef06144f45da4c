/**
 * Confirm the new address with the link that was mailed to it. From then on the worker logs in with it. The old address
 * stays reserved while it can undo the change.
 *
 *   called by   anyone who has the link; the page that it opens
 *   moves       an email change: pending → confirmed
 *   money       none
 *   event       worker.email_changed (ours): mails the old address a link that undoes it
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { invalidMailLink } from '../email/errors.ts'
import type { Db, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { requestWork } from '../webhooks/record-event.ts'
import { isShutOut, lockWorker } from './decisions.ts'
import { changeByLink, type EmailChange, releaseAddresses } from './email-changes.ts'
import { LinkToken } from './links.ts'
import { workerIdOf } from './queries.ts'

const DAY_MS = 86_400_000

export const confirmEmailChange = endpoint({
  method: 'POST',
  path: '/worker/email/confirm',
  name: 'confirmEmailChange',
  auth: 'none',
  access: { by: 'mailed link once' },
  summary: 'Confirm your new email with the token from an emailed link',
  body: z.object({ token: LinkToken }),
  success: { status: 200, body: z.object({ email: z.string() }) },
  errors: [invalidMailLink],

  transaction: 'own',
  async handler({ db, body: { token }, config, now, warnings, once }) {
    const change = await changeByLink(db.reader, { token, purpose: 'confirm' })
    const isReserved = isPending(change, now) && (await reserveAddress(db, change))
    try {
      return await once(async (tx) => {
        if (!isReserved) throw invalidMailLink()
        return answerWith(200, { email: await confirmChange(tx, { token, config, now }) }, warnings)
      })
    } finally {
      // The change may have ended since its address was reserved.
      if (change !== undefined) await releaseAddresses(db.shards, change.worker_id)
    }
  },
})

const isPending = (change: EmailChange | undefined, now: Date): change is EmailChange =>
  change?.ended_at === null && change.confirmed_at === null && change.expires_at > now

/**
 * Reserves the new address before the change is confirmed: otherwise a worker could have an address that can't log in.
 * Returns false if somebody else has it. The worker's own earlier address may still be reserved for undoing.
 */
async function reserveAddress({ shards }: Db, { worker_id, new_email }: EmailChange) {
  const email = new_email.toLowerCase()
  return shards.global.transaction(async (tx) => {
    await tx
      .insertInto('worker_emails')
      .values({ email, worker_id })
      .onConflict((conflict) => conflict.constraint('worker_emails_taken').doNothing())
      .execute()
    return (await workerIdOf(tx, email)) === worker_id
  })
}

async function confirmChange(
  tx: Tx,
  { token, config, now }: { token: string; config: Config; now: Date },
): Promise<string> {
  const link = { token, purpose: 'confirm' as const }
  const found = await changeByLink(tx, link)
  const worker = found && (await lockWorker(tx, found.worker_id))
  // Read again under the lock, which serializes two uses of a link, and a confirmation with an undo.
  const change = await changeByLink(tx, link)
  if (worker === undefined || !isPending(change, now) || isShutOut(worker)) throw invalidMailLink()

  const { id, worker_id, new_email } = change
  await tx
    .updateTable('workers')
    .set({ email: new_email, updated_at: now })
    .where('id', '=', worker_id)
    .execute()
  await tx
    .updateTable('worker_email_changes')
    .set({
      confirmed_at: now,
      undo_until: new Date(now.getTime() + config.EMAIL_UNDO_DAYS * DAY_MS),
    })
    .where('worker_id', '=', worker_id)
    .where('id', '=', id)
    .execute()
  await tx
    .deleteFrom('worker_email_links')
    .where('change_id', 'in', (changes) =>
      changes
        .selectFrom('worker_email_changes')
        .select('id')
        .where('worker_id', '=', worker_id)
        .where('id', '=', id),
    )
    .where('purpose', '=', 'confirm')
    .execute()
  await requestWork(tx, [{ type: 'worker.email_changed', id }], { now })
  return new_email
}
