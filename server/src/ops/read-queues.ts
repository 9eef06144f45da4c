/** Reads queues: how much waits in each, and one page of a queue. */
import { type RawBuilder, sql } from 'kysely'
import type { Reader, Shards } from '../kit/db.ts'
import { addUp, earliest, mergeSorted, orderBy, placesOf, readShards } from '../kit/everywhere.ts'
import { type Queue, QUEUES } from './queues.ts'

/** Counts are exact up to this many rows: counting more would cost more than anybody gains from the figure. */
export const COUNT_MAX = 500
const HOUR_MS = 3_600_000

export interface QueueCounts {
  count: number
  is_more: boolean
  overdue: number
  oldest_at: Date | null
  next_due_at: Date | null
}

/** The counts of these queues by name, or of all. One statement for each schema. */
export async function countQueues(
  shards: Shards,
  { now, queues = QUEUES }: { now: Date; queues?: readonly Queue[] },
): Promise<Map<string, QueueCounts>> {
  const parts = await Promise.all(
    [...queuesByReader(shards, queues)].map(([reader, some]) => countIn(reader, some, now)),
  )
  const byName = Map.groupBy(parts.flat(), ({ name }) => name)
  return new Map(
    queues.map((queue) => [queue.name, addCounts(queue, byName.get(queue.name) ?? [])]),
  )
}

function queuesByReader(shards: Shards, queues: readonly Queue[]): Map<Reader, Queue[]> {
  const byReader = new Map<Reader, Queue[]>()
  for (const queue of queues)
    for (const reader of readersOf(shards, queue))
      byReader.set(reader, [...(byReader.get(reader) ?? []), queue])
  return byReader
}

function readersOf(
  { readers: shards, global: { reader: global }, queues }: Shards,
  { place }: Queue,
): readonly Reader[] {
  switch (place) {
    case 'shards':
      return shards
    case 'global':
      return [global]
    case 'both':
      return placesOf({ shards, global })
    case 'jobs':
      return queues.map(({ reader }) => reader)
  }
}

interface Counted {
  name: string
  count: number
  overdue: number
  oldest_at: Date | null
  first_at: Date | null
}

async function countIn(reader: Reader, queues: readonly Queue[], now: Date): Promise<Counted[]> {
  const parts = queues.map(
    (queue) => sql`
      select ${queue.name}::text as name, count(*)::integer as count,
             (count(*) filter (where ${isOverdue(queue, now)}))::integer as overdue,
             min(since) as oldest_at, min(at) as first_at
        from (select ${sql.raw(queue.since)} as since, ${sql.raw(queue.order)} as at from ${sql.raw(queue.from)}
               order by ${sql.raw(queue.order)} limit ${COUNT_MAX + 1}) rows`,
  )
  return inOrder(reader, async (ordered) => {
    const { rows } = await sql<Counted>`${sql.join(parts, sql` union all `)}`.execute(ordered)
    return rows
  })
}

/**
 * Reads by the index of a queue's order. The planner would not: it takes a policy for tenants for a condition that one
 * row fulfills, and expects to read the whole index for it.
 */
const inOrder = <T>(reader: Reader, read: (ordered: Reader) => Promise<T>): Promise<T> =>
  reader.transaction().execute(async (tx) => {
    await sql`select ${sql.join(
      ['seqscan', 'bitmapscan', 'sort', 'hashjoin', 'mergejoin'].map(
        (way) => sql`set_config(${`enable_${way}`}, 'off', true)`,
      ),
    )}`.execute(tx)
    return read(tx)
  })

function isOverdue({ due }: Queue, now: Date): RawBuilder<unknown> {
  if (due === null) return sql.lit(false)
  // Every row is overdue, whichever clock wrote it.
  if (due === 'at once') return sql.lit(true)
  const hours = due === 'at order' ? 0 : due.hours
  return sql`at <= ${new Date(now.getTime() - hours * HOUR_MS)}`
}

function addCounts(queue: Queue, parts: readonly Counted[]): QueueCounts {
  const { count, overdue } = addUp(['count', 'overdue'], parts)
  const first = earliest(parts.map(({ first_at }) => first_at))
  return {
    count: Math.min(count, COUNT_MAX),
    is_more: count > COUNT_MAX,
    overdue: Math.min(overdue, COUNT_MAX),
    oldest_at: earliest(parts.map(({ oldest_at }) => oldest_at)),
    next_due_at: first && dueAt(queue, first),
  }
}

function dueAt({ due }: Queue, at: Date): Date | null {
  if (due === null) return null
  const hours = typeof due === 'string' ? 0 : due.hours
  return new Date(at.getTime() + hours * HOUR_MS)
}

export interface QueueItem {
  id: string
  kind: string
  title: string
  amount_cents: number | null
  since: Date | null
  due_at: Date | null
  facts: string[]
}

interface Read extends Omit<QueueItem, 'kind' | 'due_at'> {
  at: Date
  /** `at` in microseconds: a cursor needs what a Date would cut off. */
  position: number
}

/** The next rows after the cursor, or only those of some subjects. */
export async function readQueue(
  shards: Shards,
  queue: Queue,
  {
    limit,
    after,
    ids,
  }: { limit: number; after?: Position | undefined; ids?: readonly string[] | undefined },
): Promise<{ rows: QueueItem[]; next: Position | null }> {
  const parts = await readShards(readersOf(shards, queue), (reader) =>
    readIn(reader, queue, { limit: limit + 1, after, ids }),
  )
  const order = orderBy<Read>(
    ({ position }) => position,
    ({ id }) => id,
  )
  const found = mergeSorted(order, parts, limit + 1)
  const page = found.slice(0, limit)
  const last = page.at(-1)
  return {
    rows: page.map(({ id, title, amount_cents, since, at, facts }) => ({
      id,
      kind: queue.kind,
      title,
      amount_cents,
      since,
      due_at: dueAt(queue, at),
      facts: facts.filter((fact) => fact !== null),
    })),
    next: found.length > limit && last ? { position: last.position, id: last.id } : null,
  }
}

/** Where a page ends. */
export interface Position {
  position: number
  id: string
}

async function readIn(
  reader: Reader,
  { from, id, heading, cents, since, order, facts }: Queue,
  {
    limit,
    after,
    ids,
  }: { limit: number; after: Position | undefined; ids: readonly string[] | undefined },
): Promise<Read[]> {
  const subject = sql`(${sql.raw(id)}) collate "C"`
  const at = sql.raw(order)
  const next =
    after &&
    sql`and (${at}, ${subject}) >
            (timestamptz 'epoch' + ${after.position}::bigint * interval '1 microsecond', ${after.id})`
  const select = sql<Read>`
    select ${subject} as id, ${sql.raw(heading)} as title, (${sql.raw(cents ?? 'null')})::bigint as amount_cents,
           ${sql.raw(since)} as since, ${at} as at, (extract(epoch from ${at}) * 1000000)::bigint as position,
           array[${sql.raw(facts.join(', '))}]::text[] as facts
      from ${sql.raw(from)} ${next ?? sql``}
       ${ids === undefined ? sql`` : sql`and (${sql.raw(id)}) = any(${ids}::text[])`}
     order by ${at}, ${subject} limit ${limit}`
  // Some subjects are read by their own index.
  const { rows } = await (ids === undefined
    ? inOrder(reader, (ordered) => select.execute(ordered))
    : select.execute(reader))
  return rows
}

/** Which of these subjects are in a queue. */
export async function waitingAmong(
  shards: Shards,
  subjects: readonly string[],
): Promise<Set<string>> {
  const parts = await Promise.all(
    [...queuesByReader(shards, QUEUES)].map(([reader, queues]) =>
      waitingIn(reader, queues, subjects),
    ),
  )
  return new Set(parts.flat())
}

async function waitingIn(
  reader: Reader,
  queues: readonly Queue[],
  subjects: readonly string[],
): Promise<string[]> {
  const parts = queues.map(
    ({ id, from }) =>
      sql`select ${sql.raw(id)} as id from ${sql.raw(from)} and (${sql.raw(id)}) = any(${subjects}::text[])`,
  )
  const { rows } = await sql<{ id: string }>`${sql.join(parts, sql` union all `)}`.execute(reader)
  return rows.map(({ id }) => id)
}
