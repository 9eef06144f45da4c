/** Keeps the trace of an event with its delivery. Only sampled events have one, so most batches need no statement. */
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'

/** Runs in the transaction that queues the deliveries. */
export async function traceDeliveries(
  tx: Tx,
  events: readonly { id: string; agent_id: string | null; traceparent: string }[],
): Promise<void> {
  if (events.length === 0) return
  const [ids, agentIds, traceparents] = [
    events.map(({ id }) => id),
    events.map(({ agent_id }) => agent_id),
    events.map(({ traceparent }) => traceparent),
  ]
  await sql`
    update deliveries d set traceparent = t.traceparent
      from unnest(${ids}::text[], ${agentIds}::text[], ${traceparents}::text[]) t(id, agent_id, traceparent)
     where d.event_id = t.id and d.agent_id = t.agent_id`.execute(tx)
}

/** The traceparents of those deliveries that have one, by event. */
export async function readTraceparents(
  db: Db,
  eventIds: readonly string[],
): Promise<Map<string, string>> {
  const rows = await db.call<{ event_id: string; traceparent: string }>(
    'delivery_traceparents',
    'select event_id, traceparent from deliveries where event_id = any($1) and traceparent is not null',
    [eventIds],
  )
  return new Map(rows.map(({ event_id, traceparent }) => [event_id, traceparent]))
}
