/** The links in mails to workers. The token exists only in the mail; the database stores its hash. */
import { z } from 'zod'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import type { RunAt } from '../kit/endpoint.ts'
import { shardOf } from '../kit/ids.ts'
import { mintLinkToken, sha256, shardOfUnknown } from '../kit/secrets.ts'
import { publicUrl } from '../kit/public-url.ts'
import { requestMail } from '../webhooks/record-event.ts'
import { workerIdOf } from './queries.ts'

export type Purpose = 'verify' | 'reset'

export const LinkToken = z.string().min(1).max(200).describe('The token from the emailed link')

/** The URL of a page for use in a mail. */
export function linkTo(
  config: Parameters<typeof publicUrl>[0],
  page: Purpose | 'objection' | 'email-confirm' | 'email-undo',
  token?: string,
): string {
  return `${publicUrl(config)}/${page}${token === undefined ? '' : `?token=${token}`}`
}

/** Does the same whether or not the account exists, so that callers can't probe for accounts. `tx` is global. */
export async function askForMail(
  tx: Tx,
  {
    email,
    template,
    shards,
    runAt,
    now,
  }: { email: string; template: Purpose; shards: Shards; runAt: RunAt; now: Date },
): Promise<void> {
  const workerId = await workerIdOf(tx, email)
  const shard = workerId === undefined ? shards.of(shardOfUnknown(email)) : shards.at(workerId)
  await runAt(shard, (own) => requestMail(own, { workerId, template, now }))
}

export async function mintLink(
  tx: Tx,
  {
    workerId,
    purpose,
    livesMs,
    now,
  }: { workerId: string; purpose: Purpose; livesMs: number; now: Date },
): Promise<string> {
  // Only the newest reset link is valid. Verification links all stay valid: they do no harm, and people open
  // whichever mail they see first.
  if (purpose === 'reset') await endLinks(tx, { workerId, purpose, now })
  const token = mintLinkToken(shardOf(workerId))
  await tx
    .insertInto('worker_tokens')
    .values({
      token_hash: sha256(token),
      worker_id: workerId,
      purpose,
      created_at: now,
      expires_at: new Date(now.getTime() + livesMs),
    })
    .execute()
  return token
}

interface Link {
  token: string
  purpose: Purpose
}

export const findLink = (db: Reader, link: Link) => byToken(db, link).executeTakeFirst()

/** Locks the link's row, to serialize concurrent uses of the same link. */
export const lockLink = (tx: Tx, link: Link) => byToken(tx, link).forUpdate().executeTakeFirst()

const byToken = (db: Reader, { token, purpose }: Link) =>
  db
    .selectFrom('worker_tokens')
    .select(['token_hash', 'worker_id', 'expires_at', 'used_at'])
    .where('token_hash', '=', sha256(token))
    .where('purpose', '=', purpose)

export async function endLinks(
  tx: Tx,
  { workerId, purpose, now }: { workerId: string; purpose: Purpose; now: Date },
): Promise<void> {
  await tx
    .updateTable('worker_tokens')
    .set({ used_at: now })
    .where('worker_id', '=', workerId)
    .where('purpose', '=', purpose)
    .where('used_at', 'is', null)
    .execute()
}
