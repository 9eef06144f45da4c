/**
 * Undo a change of the email with the link that was mailed to the old address: “this wasn't me”. Whoever asked for the
 * change knows the password, so the password and every session end, and a link to choose a new one is mailed.
 *
 *   called by   anyone who has the link; the page that it opens
 *   moves       an email change: pending or confirmed → ended, with every later change of the worker
 *   money       none
 *   event       mail.requested (ours, not sent to webhooks)
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { requestMail } from '../webhooks/record-event.ts'
import { cancelClosing } from './closings.ts'
import { lockWorker } from './decisions.ts'
import { changeByLink, endChanges, releaseAddresses } from './email-changes.ts'
import { endLinks, LinkToken } from './links.ts'
import { endSessionsExcept } from './sessions.ts'

/** No password matches it. */
const NO_PASSWORD = 'none'

export const undoEmailChange = endpoint({
  method: 'POST',
  path: '/worker/email/undo',
  name: 'undoEmailChange',
  auth: 'none',
  access: { by: 'mailed link once' },
  summary: 'Undo a change of your email with the token from an emailed link',
  description:
    'Restores the old address, ends every session and the password, and emails a link to choose a ' +
    'new password.',
  body: z.object({ token: LinkToken }),
  success: { status: 200, body: z.object({ email: z.string() }) },
  errors: [invalidMailLink],

  transaction: 'own',
  async handler({ db, shards, body: { token }, now, warnings, once }) {
    const change = await changeByLink(db.reader, { token, purpose: 'undo' })
    const answer = await once(async (tx) =>
      answerWith(200, { email: await undoChange(tx, { token, now }) }, warnings),
    )
    if (change !== undefined) await releaseAddresses(shards, change.worker_id)
    return answer
  },
})

async function undoChange(tx: Tx, { token, now }: { token: string; now: Date }): Promise<string> {
  const link = { token, purpose: 'undo' as const }
  const found = await changeByLink(tx, link)
  const worker = found && (await lockWorker(tx, found.worker_id))
  const change = await changeByLink(tx, link)
  if (worker === undefined || change === undefined || change.ended_at !== null)
    throw invalidMailLink()
  if ((change.undo_until ?? change.expires_at) <= now) throw invalidMailLink()

  const { worker_id: workerId, old_email } = change
  const later = await tx
    .selectFrom('worker_email_changes')
    .select('id')
    .where('worker_id', '=', workerId)
    .where('id', '>=', change.id)
    .where('ended_at', 'is', null)
    .execute()
  await tx
    .updateTable('workers')
    .set({ email: old_email, password_hash: NO_PASSWORD, updated_at: now })
    .where('id', '=', workerId)
    .execute()
  await endChanges(tx, { workerId, ids: later.map(({ id }) => id), endedFor: 'undone', now })
  // The thief who changed the email may also have asked to close the account.
  await cancelClosing(tx, { workerId, now })
  await endLinks(tx, { workerId, purpose: 'reset', now })
  await endSessionsExcept(tx, { workerId, sessionId: undefined, now })
  await requestMail(tx, { workerId, template: 'reset', now })
  return old_email
}
