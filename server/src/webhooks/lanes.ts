/**
 * A lane is one receiver of an agent with its queue of deliveries. A process sends to a lane only while it holds the
 * lane's lease, which lasts a few seconds and is renewed. When a process dies, others take over its lanes.
 */
import { type RawBuilder, sql } from 'kysely'
import { call } from '../kit/call.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import type { Functions } from '../kit/functions.ts'

/** How many lanes one statement reads or releases. */
export const LANES_TOGETHER = 256

export type ClaimedLane = Functions['webhooks_claim_lanes_of']['row']
export type DueDelivery = Functions['webhooks_find_due']['row'] & {
  /** The span that relayed the event, if it is sampled. */
  traceparent?: string | undefined
}

interface ClaimLanes {
  holder: string
  now: Date
  until: Date
  limit: number
  /** Only lanes of agents in this mode; undefined means all. */
  mode?: Mode | undefined
}

export const claimLanes = (db: Db, { holder, now, until, limit, mode }: ClaimLanes) =>
  call(db, 'webhooks_claim_lanes_of', {
    p_holder: holder,
    p_now: now,
    p_until: until,
    p_limit: limit,
    p_mode: mode ?? null,
  })

/** Returns the lanes that `holder` still has. `waiting`: another transaction has the row locked; renew it later. */
export async function renewLanes(
  db: Db,
  { holder, until, ids }: { holder: string; until: Date; ids: string[] },
): Promise<Map<string, 'renewed' | 'waiting'>> {
  const rows = await call(db, 'webhooks_renew_lanes', {
    p_holder: holder,
    p_until: until,
    p_ids: ids,
  })
  return new Map(rows.map(({ id, is_renewed }) => [id, is_renewed ? 'renewed' : 'waiting']))
}

export interface Release {
  id: string
  /** Release even if more is due, because other lanes are waiting. */
  must: boolean
  not_before?: Date
}

/** Returns the lanes that stay held because more is due in them. */
export async function releaseLanes(
  db: Db,
  { holder, now, lanes }: { holder: string; now: Date; lanes: Release[] },
): Promise<Set<string>> {
  const rows = await call(db, 'webhooks_free_lanes', {
    p_holder: holder,
    p_now: now,
    p_lanes: lanes.map(({ id, must, not_before }) => ({ id, must, not_before })),
  })
  return new Set(rows.map(({ id }) => id))
}

/** Reads the oldest due deliveries of each lane, up to a page, except the known ones. */
export const readDue = (
  db: Db,
  { now, lanes, known }: { now: Date; lanes: { id: string; page: number }[]; known: string[] },
) => call(db, 'webhooks_find_due', { p_now: now, p_lanes: lanes, p_known: known })

/**
 * Makes lanes due. Must run in the statement or transaction that adds deliveries, before it adds them: the lock order
 * is lanes by id, then deliveries. The lane's row is locked even if nothing changes, so a concurrent release of an
 * empty lane either commits before us or sees the deliveries that we add. A probe also ends a pause.
 */
export const waking = (
  lanes: RawBuilder<unknown>,
  { now, isProbe = false }: { now: Date; isProbe?: boolean },
) => sql`
  insert into webhook_lanes as l (id, agent_id, due_at)
    select distinct id, agent_id, ${now}::timestamptz from ${lanes} order by id
    on conflict (id) do update ${isProbe ? PROBED : WOKEN}`

// Neither has a parameter: Citus loses those that follow `on conflict` after a select (server/migrations/README.md).
const PROBED = sql`
  set paused_until = null, due_at = greatest(least(l.due_at, excluded.due_at), l.held_until)`
const WOKEN = sql`
  set due_at = greatest(least(l.due_at, excluded.due_at), l.held_until, l.paused_until)
  where l.due_at is distinct from greatest(least(l.due_at, excluded.due_at), l.held_until, l.paused_until)`

export async function wakeLanes(
  tx: Tx,
  lanes: { id: string; agentId: string }[],
  when: { now: Date; isProbe?: boolean },
): Promise<void> {
  if (lanes.length === 0) return
  const ids = lanes.map(({ id }) => id)
  const agentIds = lanes.map(({ agentId }) => agentId)
  await waking(sql`unnest(${ids}::text[], ${agentIds}::text[]) w(id, agent_id)`, when).execute(tx)
}

/**
 * Resets the failure state of a lane, as after a change of address, and makes up to a thousand waiting deliveries due
 * now, so an agent that has fixed its server doesn't wait hours for the next retry.
 */
export async function reviveLane(
  tx: Tx,
  { id, agentId, now }: { id: string; agentId: string; now: Date },
): Promise<void> {
  await sql`
    insert into webhook_lanes as l (id, agent_id, due_at) values (${id}, ${agentId}, ${now})
      on conflict (id) do update
        set failures = 0, paused_until = null, failing_since = null, warned_at = null, disabled_at = null,
            disabled_for = null, due_at = greatest(excluded.due_at, l.held_until)`.execute(tx)
  await call(tx, 'webhooks_hurry', { p_lane: id, p_now: now })
}
