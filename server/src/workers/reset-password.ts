/**
 * Set a new password with the mailed link. This ends every session and verifies the email.
 *
 *   called by   anyone who has the link; the page that it opens
 *   moves       the worker: unverified → active
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { invalidMailLink } from '../email/errors.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { endLinks, findLink, LinkToken, lockLink } from './links.ts'
import { hashPassword, NewPassword, refuseGuessable } from './passwords.ts'
import { byId, type Worker } from './queries.ts'
import { setVerified } from './verify-email.ts'

export const resetPassword = endpoint({
  method: 'POST',
  path: '/worker/password/reset',
  name: 'resetPassword',
  auth: 'none',
  access: { by: 'mailed link once' },
  summary: 'Choose a new password with the token from an emailed link',
  description: 'The link works once. All earlier tokens end at once.',
  body: z.object({ token: LinkToken, password: NewPassword }),
  success: { status: 202, body: z.object({ message: z.string() }) },
  errors: [invalidMailLink],
  isSecret: true,

  transaction: 'own',
  async handler({ db, body, now, config, warnings, once }) {
    const password_hash = await hashForLink(db.reader, { ...body, config, now })
    return once(async (tx) => {
      await setPasswordByLink(tx, { token: body.token, password_hash, now })
      return answerWith(
        202,
        { message: 'Your password has been changed; log in with the new one' },
        warnings,
      )
    })
  },
})

interface HashForLink {
  token: string
  password: string
  config: Config
  now: Date
}

/** Call before the transaction, because hashing is slow. Returns undefined, without hashing, for an invalid link. */
export async function hashForLink(
  db: Reader,
  { token, password, config, now }: HashForLink,
): Promise<string | undefined> {
  const link = await findLink(db, { token, purpose: 'reset' })
  const worker = isOpen(link, now) ? await byId(db, link.worker_id) : undefined
  if (worker === undefined) return undefined
  refuseGuessable(config, { password, email: worker.email, name: worker.name })
  return hashPassword(password)
}

interface SetPasswordByLink {
  token: string
  password_hash: string | undefined
  now: Date
}

export async function setPasswordByLink(
  tx: Tx,
  { token, password_hash, now }: SetPasswordByLink,
): Promise<Worker> {
  const link = await lockLink(tx, { token, purpose: 'reset' })
  if (!isOpen(link, now) || password_hash === undefined) throw invalidMailLink()
  const workerId = link.worker_id

  await endLinks(tx, { workerId, purpose: 'reset', now })
  await tx
    .updateTable('workers')
    .set({ password_hash, session_version: sql`session_version + 1`, updated_at: now })
    .where('id', '=', workerId)
    .execute()
  return setVerified(tx, { workerId, now })
}

type Link = Awaited<ReturnType<typeof findLink>>

export const isOpen = (link: Link, now: Date): link is NonNullable<Link> =>
  link !== undefined && link.used_at === null && link.expires_at > now
