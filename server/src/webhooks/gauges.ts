import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { addUp, earliest, readShards } from '../kit/everywhere.ts'
import type { Background } from '../kit/job.ts'

type Parts = Pick<Background, 'db' | 'clock' | 'metrics'>

/** Sets how long events have been waiting. API processes measure it, too, so it grows while no jobs process runs. */
export async function showBacklog({ db, clock, metrics }: Parts): Promise<void> {
  const now = clock.now()
  const { outboxSince, dueSince } = await readBacklog(db.shards, now)
  const secondsSince = (since: Date | null) =>
    since === null ? 0 : Math.max(0, now.getTime() - since.getTime()) / 1000
  metrics.outboxAge.set(secondsSince(outboxSince))
  metrics.webhooksLate.set(secondsSince(dueSince))
}

/** Since when the oldest event of live mode has waited: for a relay in the outbox, for a deliverer in a lane. */
export async function readBacklog(
  { readers, all, global }: Shards,
  now: Date,
): Promise<{ outboxSince: Date | null; dueSince: Date | null }> {
  const parts = await readShards(readers, (shard) => backlogOfShard(shard, now))
  const globalSince = all.includes(global) ? null : await globalOutboxSince(global.reader)
  return {
    outboxSince: earliest([globalSince, ...parts.map(({ outbox_since }) => outbox_since)]),
    dueSince: earliest(parts.map(({ due_since }) => due_since)),
  }
}

async function backlogOfShard(
  shard: Reader,
  now: Date,
): Promise<{ outbox_since: Date | null; due_since: Date | null }> {
  const { rows } = await sql<{ outbox_since: Date | null; due_since: Date | null }>`
    select (select o.created_at from outbox o
             where not exists (select 1 from agents a where a.id = o.agent_id and a.mode = 'test')
             order by o.position limit 1) as outbox_since,
           (select l.due_at from webhook_lanes l
             where l.due_at <= ${now}
               and exists (select 1 from agents a where a.id = l.agent_id and a.mode = 'live')
             order by l.due_at limit 1) as due_since`.execute(shard)
  return rows[0]!
}

/** All work of a global schema that is apart from the shards is live. */
async function globalOutboxSince(global: Reader): Promise<Date | null> {
  const oldest = await global
    .selectFrom('outbox')
    .select('created_at')
    .orderBy('position')
    .limit(1)
    .executeTakeFirst()
  return oldest?.created_at ?? null
}

/** Sets the numbers of failing and disabled receivers. */
export async function showReceivers({ db, metrics }: Parts): Promise<void> {
  const parts = await readShards(db.shards.readers, receiversOfShard)
  const { failing, disabled } = addUp(['failing', 'disabled'], parts)
  metrics.receivers.set({ state: 'failing' }, failing)
  metrics.receivers.set({ state: 'disabled' }, disabled)
}

async function receiversOfShard(shard: Reader): Promise<{ failing: number; disabled: number }> {
  const { rows } = await sql<{ failing: number; disabled: number }>`
    select count(*) filter (where disabled_at is null) as failing, count(disabled_at) as disabled
      from webhook_lanes where failing_since is not null or disabled_at is not null`.execute(shard)
  return rows[0]!
}
