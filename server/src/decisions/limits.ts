/** The limits above which a decision needs two operators. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'

/** Whether the database will ask for a second operator, as `decide_second_person` computes it. */
export async function secondPerson(
  reader: Reader,
  asked: { kind: string; subject: string; amount_cents: number | null; by: string; now: Date },
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
     where subject = ${asked.subject} and kind = ${asked.kind} and proposed_by = ${asked.by}
       and state in ('agreed', 'done') and proposed_at > ${asked.now}::timestamptz - interval '1 day'`.execute(
    reader,
  )
  const cents = rows[0]!.cents + (asked.amount_cents ?? 0)
  return { needs_second: over_cents === 0 || cents > over_cents, over_cents }
}
