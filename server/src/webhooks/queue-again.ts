import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { isEnabled, laneOf } from './lane-id.ts'
import { wakeLanes } from './lanes.ts'
import { ATTEMPTS_MAX } from './schedule.ts'

interface LoggedEvent {
  id: string
  task_id: string | null
  event_at: string
}

interface Addressed {
  id: string
  event_at: string
  lane: string
  callback_url: string | null
}

/**
 * Queues deliveries for events of an agent, whether they were sent before or not. Deliveries that already wait become
 * due now. Skips events without an address or with a disabled one, and returns the ids of the queued events.
 */
export async function queueAgain(
  tx: Tx,
  events: readonly LoggedEvent[],
  { agentId, now }: { agentId: string; now: Date },
): Promise<string[]> {
  const addressed = await findAddresses(tx, events, agentId)
  if (addressed.length === 0) return []

  const lanes = [...new Set(addressed.map(({ lane }) => lane))].sort()
  await wakeLanes(
    tx,
    lanes.map((id) => ({ id, agentId })),
    { now },
  )
  await sql`
    insert into deliveries as d (event_id, lane, agent_id, url, event_at, attempts_max, next_try_at, created_at)
      select t.id, t.lane, ${agentId}, t.url, t.event_at, ${ATTEMPTS_MAX}, ${now}, ${now}
        from unnest(${addressed.map(({ id }) => id)}::text[], ${addressed.map(({ lane }) => lane)}::text[],
                    ${addressed.map(({ callback_url }) => callback_url)}::text[],
                    ${addressed.map(({ event_at }) => event_at)}::timestamptz[]) t(id, lane, url, event_at)
      on conflict (event_id) do update set next_try_at = least(d.next_try_at, excluded.next_try_at)`.execute(
    tx,
  )
  return addressed.map(({ id }) => id)
}

async function findAddresses(
  tx: Tx,
  events: readonly LoggedEvent[],
  agentId: string,
): Promise<Addressed[]> {
  const { rows } = await sql<Addressed>`
    with addressed as (
      select t.id, t.event_at, k.callback_url, ${laneOf(sql`a.id`, sql`k.callback_url`)} as lane
        from unnest(${events.map(({ id }) => id)}::text[], ${events.map(({ task_id }) => task_id)}::text[],
                    ${events.map(({ event_at }) => event_at)}::text[]) t(id, task_id, event_at)
        join agents a on a.id = ${agentId}
        left join tasks k on k.id = t.task_id and k.agent_id = a.id
       where coalesce(k.callback_url, a.webhook_url) is not null
    )
    select * from addressed w
     where ${isEnabled({ lane: sql`w.lane`, agentId: sql`${agentId}`, url: sql`w.callback_url` })}`.execute(
    tx,
  )
  return rows
}
