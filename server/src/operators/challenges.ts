/**
 * Challenges for a browser or for the OpenID provider. Each can be answered once: it is deleted when an answer arrives,
 * also if the answer turns out to be wrong.
 */
import { randomBytes } from 'node:crypto'
import type { Db } from '../kit/db.ts'
import { sha256 } from '../kit/secrets.ts'

export const CHALLENGE_MINUTES = 10
const MINUTE_MS = 60_000

type Purpose = 'register' | 'sign_in' | 'oidc'

/** Returns its id, which the browser sends back with the answer. */
export async function mintChallenge(
  db: Db,
  {
    purpose,
    operatorId = null,
    challenge,
    verifier = null,
    now,
  }: {
    purpose: Purpose
    operatorId?: string | null
    challenge: string
    verifier?: string | null
    now: Date
  },
): Promise<string> {
  const id = randomBytes(32).toString('base64url')
  await db.transaction((tx) =>
    tx
      .insertInto('operator_challenges')
      .values({
        id_hash: sha256(id),
        purpose,
        operator_id: operatorId,
        challenge,
        verifier,
        expires_at: new Date(now.getTime() + CHALLENGE_MINUTES * MINUTE_MS),
      })
      .execute(),
  )
  return id
}

export const takeChallenge = (
  db: Db,
  { id, purpose, now }: { id: string; purpose: Purpose; now: Date },
) =>
  db.transaction((tx) =>
    tx
      .deleteFrom('operator_challenges')
      .where('id_hash', '=', sha256(id))
      .where('purpose', '=', purpose)
      .where('expires_at', '>', now)
      .returning(['operator_id', 'challenge', 'verifier'])
      .executeTakeFirst(),
  )
