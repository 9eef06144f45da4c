/**
 * Leases on test clocks: one call at a time for each agent, and a maximum for all agents and processes together. A hold
 * is a lease on the agent's row, timed by the database, so it occupies no connection.
 */
import { sql } from 'kysely'
import type { Db, Tx } from '../kit/db.ts'
import { readReachable } from '../kit/everywhere.ts'

/** Longer than a step takes on a busy database. After a crash the agent has to wait this long. */
const HOLD_SECONDS = 10
/** The key of the advisory lock that guards the count of holds. */
const COUNTING = 7_003_016

export interface Hold {
  agentId: string
  /** The key of the call, a colon, and a suffix that is unique to each attempt. */
  holder: string
}

/**
 * `moving`: another call is moving this clock. `same call`: an earlier attempt of this call, with the same
 * Idempotency-Key, is moving it. `too many`: the maximum number of clocks is moving.
 */
export async function holdClock(
  db: Db,
  { agentId, holder, atOnceMax }: Hold & { atOnceMax: number },
): Promise<'taken' | 'moving' | 'same call' | 'too many'> {
  // Counted before the transaction, which must not wait for connections to other schemas. So a call that begins at the
  // same time in another schema may be missed.
  const elsewhere = await countElsewhere(db)
  return db.transaction(async (tx) => {
    // Serializes the count of concurrent calls. The lock lasts only for the few statements of this transaction.
    await sql`select pg_advisory_xact_lock(${COUNTING})`.execute(tx)
    const { rows } = await sql<{ held_by: string | null; held: number }>`
      select max(held_by) filter (where agent_id = ${agentId}) as held_by, count(*)::int as held
        from test_clocks where held_by is not null and held_until > clock_timestamp()`.execute(tx)
    const heldBy = rows[0]!.held_by
    if (heldBy !== null) return callOf(heldBy) === callOf(holder) ? 'same call' : 'moving'
    if (rows[0]!.held + elsewhere >= atOnceMax) return 'too many'
    await sql`
      insert into test_clocks (agent_id, held_by, held_until) values (${agentId}, ${holder}, ${until})
        on conflict (agent_id) do update set held_by = excluded.held_by, held_until = excluded.held_until`.execute(
      tx,
    )
    return 'taken'
  })
}

async function countElsewhere(db: Db): Promise<number> {
  const others = db.shards.readers.filter((reader) => reader !== db.reader)
  const counts = await readReachable(others, async (reader) => {
    const { rows } = await sql<{ held: number }>`
      select count(*)::int as held from test_clocks
       where held_by is not null and held_until > clock_timestamp()`.execute(reader)
    return rows[0]!.held
  })
  return counts.reduce((sum, held) => sum + held, 0)
}

const callOf = (holder: string) => holder.split(':')[0]

/** Renews the lease and locks the clock for the rest of the transaction. Returns false if the lease was lost. */
export async function renewHold(tx: Tx, { agentId, holder }: Hold): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('test_clocks')
    .set({ held_until: until })
    .where('agent_id', '=', agentId)
    .where('held_by', '=', holder)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export async function letGo(db: Db, { agentId, holder }: Hold): Promise<void> {
  await db.reader
    .updateTable('test_clocks')
    .set({ held_by: null, held_until: null })
    .where('agent_id', '=', agentId)
    .where('held_by', '=', holder)
    .execute()
}

const until = sql<Date>`clock_timestamp() + make_interval(secs => ${HOLD_SECONDS})`
