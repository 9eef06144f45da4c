/**
 * Verify a worker's email with the mailed link: the account becomes active.
 *
 *   called by   anyone who has the link; the page that it opens
 *   moves       the worker: unverified → active
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { invalidMailLink } from '../email/errors.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { isClosedForGood } from './decisions.ts'
import { LinkToken, lockLink } from './links.ts'
import type { Worker } from './queries.ts'
import { AccountView, viewAccount } from './view.ts'

export const followVerifyLink = endpoint({
  method: 'GET',
  path: '/worker/verify',
  name: 'followVerificationLink',
  auth: 'none',
  access: { by: 'mailed link' },
  readOnlyMode: 'refused',
  summary: 'Confirm an email with the token from an emailed link',
  description:
    'Can be repeated. The emailed link leads to a page that asks for confirmation first, ' +
    'because mail scanners open every link.',
  query: z.object({ token: LinkToken }),
  success: { status: 200, body: z.object({ worker: AccountView }) },
  errors: [invalidMailLink],

  transaction: 'own',
  async handler({ db, query, now }) {
    const worker = await db.transaction((tx) => confirmEmail(tx, { token: query.token, now }))
    const body = JSON.stringify({ worker: viewAccount(worker, now) })
    return { status: 200, body, isReplay: false }
  },
})

export const verifyEmail = endpoint({
  method: 'POST',
  path: '/worker/verify',
  name: 'verifyWorkerEmail',
  auth: 'none',
  access: { by: 'mailed link' },
  summary: 'Confirm an email with the token from an emailed link',
  description: 'Can be repeated.',
  body: z.object({ token: LinkToken }),
  success: { status: 200, body: z.object({ worker: AccountView }) },
  errors: [invalidMailLink],

  async handler({ tx, body, now }) {
    return { worker: viewAccount(await confirmEmail(tx, { token: body.token, now }), now) }
  },
})

export async function confirmEmail(
  tx: Tx,
  { token, now }: { token: string; now: Date },
): Promise<Worker> {
  const link = await lockLink(tx, { token, purpose: 'verify' })
  // A link that was used in time may be used again, even after it expires: a second click is not an error.
  if (link === undefined || (link.used_at === null && link.expires_at <= now))
    throw invalidMailLink()
  await tx
    .updateTable('worker_tokens')
    .set({ used_at: link.used_at ?? now })
    .where('token_hash', '=', link.token_hash)
    .execute()
  return setVerified(tx, { workerId: link.worker_id, now })
}

/** Following a mailed link verifies the address. A suspended or closed worker stays suspended or closed. */
export async function setVerified(
  tx: Tx,
  { workerId, now }: { workerId: string; now: Date },
): Promise<Worker> {
  await tx
    .updateTable('workers')
    .set({ verified_at: now, updated_at: now })
    .where('id', '=', workerId)
    .where('verified_at', 'is', null)
    .execute()
  await tx
    .updateTable('workers')
    .set({ status: 'active' })
    .where('id', '=', workerId)
    .where('status', '=', 'unverified')
    .execute()
  const worker = await tx
    .selectFrom('workers')
    .selectAll()
    .where('id', '=', workerId)
    .executeTakeFirst()
  if (worker === undefined || (await isClosedForGood(tx, worker))) throw invalidMailLink()
  return worker
}
