/**
 * Changes of a worker's email. A change waits for the link that we mail to the new address. The old address can undo it
 * for two weeks, because whoever knows the password could otherwise take the account for good.
 */
import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { shardOf } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { mintLinkToken, sha256 } from '../kit/secrets.ts'

export type EmailChange = Selectable<Schema['worker_email_changes']>
type EndedFor = NonNullable<EmailChange['ended_for']>
export type EmailLinkPurpose = Schema['worker_email_links']['purpose']

export const EmailChangeView = named(
  'EmailChange',
  z.object({
    new_email: z.string(),
    created_at: z.string(),
    expires_at: z.string().describe('The link to the new address works until then'),
  }),
)

export const viewChange = (change: EmailChange): z.input<typeof EmailChangeView> => ({
  new_email: change.new_email,
  created_at: change.created_at.toISOString(),
  expires_at: change.expires_at.toISOString(),
})

/** The change that waits for its link; undefined if there is none. */
export const pendingChange = (
  db: Reader,
  { workerId, now }: { workerId: string; now: Date },
): Promise<EmailChange | undefined> =>
  db
    .selectFrom('worker_email_changes')
    .selectAll()
    .where('worker_id', '=', workerId)
    .where('confirmed_at', 'is', null)
    .where('ended_at', 'is', null)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function mintEmailLink(
  tx: Tx,
  { changeId, purpose, now }: { changeId: string; purpose: EmailLinkPurpose; now: Date },
): Promise<{ token: string; tokenHash: string }> {
  const token = mintLinkToken(shardOf(changeId))
  const tokenHash = sha256(token)
  await tx
    .insertInto('worker_email_links')
    .values({ token_hash: tokenHash, change_id: changeId, purpose, created_at: now })
    .execute()
  return { token, tokenHash }
}

/** The change of a link. Lock its worker before you act on it. */
export const changeByLink = (
  db: Reader,
  { token, purpose }: { token: string; purpose: EmailLinkPurpose },
): Promise<EmailChange | undefined> =>
  db
    .selectFrom('worker_email_changes')
    .innerJoin('worker_email_links', 'worker_email_links.change_id', 'worker_email_changes.id')
    .selectAll('worker_email_changes')
    .where('worker_email_links.token_hash', '=', sha256(token))
    .where('worker_email_links.purpose', '=', purpose)
    .executeTakeFirst()

/** Ends changes, so that their links no longer work. */
export async function endChanges(
  tx: Tx,
  {
    workerId,
    ids,
    endedFor,
    now,
  }: { workerId: string; ids: string[]; endedFor: EndedFor; now: Date },
): Promise<void> {
  if (ids.length === 0) return
  await tx
    .updateTable('worker_email_changes')
    .set({ ended_at: now, ended_for: endedFor })
    .where('worker_id', '=', workerId)
    .where('id', 'in', ids)
    .execute()
  await tx
    .deleteFrom('worker_email_links')
    .where('change_id', 'in', (changes) =>
      changes
        .selectFrom('worker_email_changes')
        .select('id')
        .where('worker_id', '=', workerId)
        .where('id', 'in', ids),
    )
    .execute()
}

/**
 * Releases every address that is neither the worker's own, nor reserved for undoing a change, nor that of a pending
 * change, which may just be confirmed. Call it after the transaction that ended a change: the directory is in another
 * schema. Until then, nobody else can use the address.
 */
export async function releaseAddresses(shards: Shards, workerId: string): Promise<void> {
  const db = shards.at(workerId).reader
  const { email } = await db
    .selectFrom('workers')
    .select('email')
    .where('id', '=', workerId)
    .executeTakeFirstOrThrow()
  const open = await db
    .selectFrom('worker_email_changes')
    .select(['old_email', 'new_email', 'confirmed_at'])
    .where('worker_id', '=', workerId)
    .where('ended_at', 'is', null)
    .execute()
  const reserved = open.map(({ old_email, new_email, confirmed_at }) =>
    confirmed_at === null ? new_email : old_email,
  )
  const kept = [email, ...reserved].map((each) => each.toLowerCase())
  await shards.global.transaction((tx) =>
    tx
      .deleteFrom('worker_emails')
      .where('worker_id', '=', workerId)
      .where('email', 'not in', kept)
      .execute(),
  )
}
