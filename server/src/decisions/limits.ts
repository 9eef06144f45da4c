/** The limits above which a decision needs two operators. */
import { sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { tryEach } from '../kit/everywhere.ts'

/** Whether the database will ask for a second operator, as `decide_second_person` computes it. */
export async function secondPerson(
  reader: Reader,
  asked: { kind: string; subject: string; amount_cents: number | null; now: Date },
): Promise<{ needs_second: boolean; over_cents: number | null }> {
  const limit = await reader
    .selectFrom('two_person_limits')
    .select('over_cents')
    .where('kind', '=', asked.kind)
    .executeTakeFirst()
  const over_cents = limit?.over_cents ?? null
  if (over_cents === null) return { needs_second: false, over_cents }
  const { rows } = await sql<{ cents: number }>`
    select coalesce(sum(amount_cents), 0)::bigint as cents from operator_decisions
     where subject = ${asked.subject} and kind = ${asked.kind} and not needs_second
       and state in ('agreed', 'done') and proposed_at > ${asked.now}::timestamptz - interval '1 day'`.execute(
    reader,
  )
  const cents = rows[0]!.cents + (asked.amount_cents ?? 0)
  return { needs_second: over_cents === 0 || cents > over_cents, over_cents }
}

/** An arbitrary advisory lock key; nothing else in this database may use it. */
const LOCK = 5_640_302_117_431

/**
 * Copies the limits to the shards, whose decisions are compared with those of their own schema. A lock makes copies
 * wait for each other: otherwise a slow one could overwrite a newer limit.
 */
export async function copyLimits({ global, all }: Shards): Promise<void> {
  if (all.includes(global)) return
  await global.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const limits = await tx.selectFrom('two_person_limits').selectAll().execute()
    await tryEach(all, (shard) =>
      shard.transaction(async (own) => {
        for (const { kind, ...limit } of limits)
          await own.updateTable('two_person_limits').set(limit).where('kind', '=', kind).execute()
      }),
    )
  })
}
