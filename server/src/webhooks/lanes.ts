/**
 * Lanes: the receivers of an agent, each with what waits for it. A process sends to a lane only while it holds it,
 * which it does for a few seconds at a time and says again and again: of one that died, others take over.
 */
import { type RawBuilder, sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import type { KeptSecrets } from './sign.ts'

export interface ClaimedLane {
  id: string
  agent_id: string
  webhook_url: string | null
  /** In a row, up to now. */
  failures: number
  is_failing: boolean
  is_disabled: boolean
}

export interface DueDelivery extends KeptSecrets {
  lane: string
  webhook_url: string | null
  event_id: string
  /** The task's callback_url, if it goes there. */
  url: string | null
  attempts: number
  attempts_max: number
  /** It can't be sent any more, and has been removed. */
  is_void: boolean
  /** Its event is not in the log, as if it had never been written there. */
  is_missing: boolean
  type: string
  task_id: string | null
  sequence: number | null
  created_at: Date
  data_text: string
}

interface ClaimLanes {
  holder: string
  now: Date
  until: Date
  limit: number
  /** Those of agents of one mode; undefined: all. */
  mode?: Mode | undefined
}

export const claimLanes = (db: Db, { holder, now, until, limit, mode }: ClaimLanes) =>
  db.call<ClaimedLane>(
    'claim_lanes_of',
    'select * from webhooks_claim_lanes_of($1, $2, $3, $4, $5)',
    [holder, now, until, limit, mode ?? null],
  )

/** Answers which of them are still the holder's. One whose row another transaction holds has to wait. */
export async function renewLanes(
  db: Db,
  { holder, until, ids }: { holder: string; until: Date; ids: string[] },
): Promise<Map<string, 'renewed' | 'waiting'>> {
  const rows = await db.call<{ id: string; is_renewed: boolean }>(
    'renew_lanes',
    'select * from webhooks_renew_lanes($1, $2, $3)',
    [holder, until, ids],
  )
  return new Map(rows.map(({ id, is_renewed }) => [id, is_renewed ? 'renewed' : 'waiting']))
}

export interface Release {
  id: string
  /** Also if more is due: others have waited. */
  must: boolean
  not_before?: Date
}

/** Answers which lanes stay held, because more is due in them. */
export async function releaseLanes(
  db: Db,
  { holder, now, lanes }: { holder: string; now: Date; lanes: Release[] },
): Promise<Set<string>> {
  const rows = await db.call<{ id: string }>(
    'release_lanes',
    'select * from webhooks_release_lanes($1, $2, $3)',
    [holder, now, JSON.stringify(lanes)],
  )
  return new Set(rows.map(({ id }) => id))
}

/** The oldest of what is due in each lane, up to a page, without those deliveries that are known already. */
export const readDue = (
  db: Db,
  { now, lanes, known }: { now: Date; lanes: { id: string; page: number }[]; known: string[] },
) =>
  db.call<DueDelivery>('read_due', 'select * from webhooks_read_due($1, $2, $3)', [
    now,
    JSON.stringify(lanes),
    JSON.stringify(known),
  ])

/**
 * Makes lanes due, in the statement or transaction that adds to them, and before it does: lanes are locked first, in
 * the order of their ids, then deliveries. The lane is locked even if nothing of it changes: whoever finds it empty and
 * lets go of it comes before us, or sees what we add. A probe does not wait until a pause is over.
 */
export const waking = (
  lanes: RawBuilder<unknown>,
  { now, isProbe = false }: { now: Date; isProbe?: boolean },
) => sql`
  insert into webhook_lanes as l (id, agent_id, due_at)
    select distinct id, agent_id, ${now}::timestamptz from ${lanes} order by id
    on conflict (id) do update
      set paused_until = case when not ${isProbe} then l.paused_until end,
          due_at = greatest(least(l.due_at, excluded.due_at), l.held_until,
                            case when not ${isProbe} then l.paused_until end)
      where ${isProbe} or l.due_at is distinct from
        greatest(least(l.due_at, excluded.due_at), l.held_until, l.paused_until)`

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
 * The receiver is trusted again, as after a new address, and gets what waits, up to a thousand deliveries at once:
 * whoever has mended a server does not want to wait for hours until the next attempt.
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
  await sql`select webhooks_hurry(${id}, ${now})`.execute(tx)
}
