/**
 * Links for operators: an invitation, a link to create a new passkey, and in development one that signs in. We store
 * only the hash. The token is in the fragment, which browsers never send, so it appears in no log and no Referer.
 */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import { deskUrl } from '../kit/desk-url.ts'
import { sha256 } from '../kit/secrets.ts'

const HOUR_MS = 3_600_000
export const LINK_HOURS = 72

export type Purpose = 'invitation' | 'passkey' | 'sign_in'

export const LinkToken = z.string().min(1).max(200).describe('The part of the link after #token=')

export const linkTo = (config: Parameters<typeof deskUrl>[0], purpose: Purpose, token: string) =>
  `${deskUrl(config)}/desk/${purpose === 'sign_in' ? 'sign-in' : 'join'}#token=${token}`

/** A link that works once. An earlier one of the same purpose ends. */
export async function mintLink(
  tx: Tx,
  {
    operatorId,
    purpose,
    by,
    now,
  }: { operatorId: string; purpose: Purpose; by: { id: string }; now: Date },
): Promise<string> {
  await endLinks(tx, { operatorId, purposes: [purpose], now })
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('operator_links')
    .values({
      token_hash: sha256(token),
      operator_id: operatorId,
      purpose,
      created_by: by.id,
      created_at: now,
      expires_at: new Date(now.getTime() + LINK_HOURS * HOUR_MS),
    })
    .execute()
  return token
}

/** The operator of a link that still works. */
export const findLink = (
  db: Reader,
  { token, purposes, now }: { token: string; purposes: readonly Purpose[]; now: Date },
) =>
  db
    .selectFrom('operator_links')
    .innerJoin('operators', 'operators.id', 'operator_links.operator_id')
    .select(['operators.id', 'operators.email', 'operators.name', 'operators.role'])
    .select('operator_links.purpose')
    .where('token_hash', '=', sha256(token))
    .where('purpose', 'in', purposes)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .where('operators.status', '<>', 'disabled')
    .executeTakeFirst()

/** Uses a link up. Of two requests at once, one gets it. */
export async function useLink(
  tx: Tx,
  { token, purposes, now }: { token: string; purposes: Purpose[]; now: Date },
): Promise<{ operator_id: string; purpose: Purpose } | undefined> {
  return tx
    .updateTable('operator_links')
    .set({ ended_at: now })
    .where('token_hash', '=', sha256(token))
    .where('purpose', 'in', purposes)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .returning(['operator_id', 'purpose'])
    .executeTakeFirst()
}

export async function endLinks(
  tx: Tx,
  { operatorId, purposes, now }: { operatorId: string; purposes: Purpose[]; now: Date },
): Promise<void> {
  await tx
    .updateTable('operator_links')
    .set({ ended_at: now })
    .where('operator_id', '=', operatorId)
    .where('purpose', 'in', purposes)
    .where('ended_at', 'is', null)
    .execute()
}
