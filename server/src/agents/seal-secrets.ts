/**
 * Encrypt webhook secrets that are stored in plain text, from before an encryption key was configured, and re-encrypt
 * those under a replaced key. After a run, the replaced key can be removed from WEBHOOK_SECRET_KEYS.
 *
 *   called by   the schedule, every hour
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader, Tx } from '../kit/db.ts'
import { tryEach } from '../kit/everywhere.ts'
import { databaseOf, shardOf } from '../kit/ids.ts'
import { type Background, job } from '../kit/job.ts'
import { keepSecret, keptPrefix, readSecret } from '../kit/secrets.ts'

const BATCH = 500

export const sealSecrets = job({
  name: 'agents.seal-secrets',
  payload: z.unknown(),
  attemptsMax: 1,
  schedule: '23 * * * *',
  // A secret that can't be decrypted must not stop the next shards.
  isGlobal: true,

  run: ({ db: { shards }, ...background }) =>
    tryEach(shards.all, (db) => sealShard({ ...background, db })),
})

async function sealShard({
  db,
  config,
  log,
}: Pick<Background, 'db' | 'config' | 'log'>): Promise<void> {
  const keys = config.WEBHOOK_SECRET_KEYS
  let after = ''
  let unreadable = 0
  for (;;) {
    const kept = await findBadlyKept(db.reader, { after, keys })
    const sealed = kept.flatMap((agent) => {
      try {
        return [sealAgain(agent, keys)]
      } catch (error) {
        log.error({ agent_id: agent.id, error }, 'a webhook secret cannot be decrypted')
        unreadable += 1
        return []
      }
    })
    const byDatabase = Map.groupBy(sealed, ({ seen }) =>
      databaseOf(shardOf(seen.id), config.SHARD_DATABASES),
    )
    for (const some of byDatabase.values()) await db.transaction((tx) => writeSealed(tx, some))
    if (kept.length < BATCH) break
    after = kept.at(-1)!.id
  }
  if (unreadable > 0) throw new Error(`${unreadable} webhook secrets cannot be decrypted`)
}

interface Kept {
  id: string
  webhook_secret: string
  webhook_secret_old: string | null
}

async function findBadlyKept(
  db: Reader,
  { after, keys }: { after: string; keys: readonly string[] },
): Promise<Kept[]> {
  const prefix = keptPrefix({ keys })
  const { rows } = await sql<Kept>`
    select id, webhook_secret, webhook_secret_old from agents
     where id > ${after}
       and not (starts_with(webhook_secret, ${prefix})
                and (webhook_secret_old is null or starts_with(webhook_secret_old, ${prefix})))
     order by id limit ${BATCH}`.execute(db)
  return rows
}

interface Sealed {
  seen: Kept
  webhook_secret: string
  webhook_secret_old: string | null
}

function sealAgain(seen: Kept, keys: readonly string[]): Sealed {
  const seal = (secret: string) =>
    keepSecret(readSecret(secret, { keys, owner: seen.id }), { keys, owner: seen.id })
  return {
    seen,
    webhook_secret: seal(seen.webhook_secret),
    webhook_secret_old: seen.webhook_secret_old && seal(seen.webhook_secret_old),
  }
}

/** Skips secrets that were rotated since they were read: those are already encrypted with the current key. */
async function writeSealed(tx: Tx, sealed: Sealed[]): Promise<void> {
  await sql`
    update agents a
       set webhook_secret = s.secret, webhook_secret_old = s.old
      from unnest(${sealed.map(({ seen }) => seen.id)}::text[],
                  ${sealed.map(({ seen }) => seen.webhook_secret)}::text[],
                  ${sealed.map(({ seen }) => seen.webhook_secret_old)}::text[],
                  ${sealed.map(({ webhook_secret }) => webhook_secret)}::text[],
                  ${sealed.map(({ webhook_secret_old }) => webhook_secret_old)}::text[])
                  s(id, seen, seen_old, secret, old)
     where a.id = s.id and a.webhook_secret = s.seen
       and a.webhook_secret_old is not distinct from s.seen_old`.execute(tx)
}
