import type { Db } from '../kit/db.ts'
import { watcher } from '../kit/watch.ts'

interface Counter {
  agent_id: string
  last_number: number
}

const wait = watcher<Counter>(async (db, seen) => {
  const rows = await db.call<Counter>(
    'watch_events',
    'select agent_id, last_number from event_counters where agent_id = any($1)',
    [seen.map(({ agent_id }) => agent_id)],
  )
  const current = new Map(rows.map((row) => [row.agent_id, row.last_number]))
  return seen.map(({ agent_id, last_number }) => (current.get(agent_id) ?? 0) > last_number)
})

/** Resolves when the agent has an event after `lastNumber`, the time is up, or the caller has disconnected. */
export const untilEvent = (
  db: Db,
  {
    agentId,
    lastNumber,
    waitMs,
    signal,
  }: { agentId: string; lastNumber: number; waitMs: number; signal: AbortSignal },
) => wait(db, { seen: { agent_id: agentId, last_number: lastNumber }, waitMs, signal })

/** The number of the agent's latest event; 0 if there is none. */
export async function lastNumberOf(db: Db, agentId: string): Promise<number> {
  const [row] = await db.call<Counter>(
    'last_number',
    'select agent_id, last_number from event_counters where agent_id = $1',
    [agentId],
  )
  return row?.last_number ?? 0
}
