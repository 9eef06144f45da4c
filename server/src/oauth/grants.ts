/** Grants: the access that a person gave to a client. A grant lives as long as its key, and ends with it. */
import type { Tx } from '../kit/db.ts'
import { endTokenKey } from '../agents/token-keys.ts'
import { lockKeys } from '../agents/keys.ts'

/** How long a code works. A client redeems it within the second in which the browser brings it. */
export const CODE_MS = 60_000

export type Grant = NonNullable<Awaited<ReturnType<typeof lockGrant>>>

/**
 * Finds the grant of a secret and locks its agent, as whatever changes keys does, so that a code or a refresh token
 * works once under any number of concurrent requests.
 */
export async function lockGrant(
  tx: Tx,
  { of, hash, now }: { of: 'code_hash' | 'family_hash'; hash: string; now: Date },
) {
  const found = await tx
    .selectFrom('oauth_grants')
    .select('agent_id')
    .where(of, '=', hash)
    .executeTakeFirst()
  if (found === undefined) return undefined
  await lockKeys(tx, found.agent_id, now)
  return tx.selectFrom('oauth_grants').selectAll().where(of, '=', hash).executeTakeFirst()
}

/** Ends a grant with its key and its tokens. The caller has locked the agent. */
export async function endGrant(
  tx: Tx,
  { id, agent_id: agentId, key_id: keyId }: Pick<Grant, 'id' | 'agent_id' | 'key_id'>,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('oauth_grants')
    .set({ ends_at: now })
    .where('agent_id', '=', agentId)
    .where('id', '=', id)
    .where('ends_at', '>', now)
    .execute()
  await endTokenKey(tx, { agentId, keyId, now })
}
