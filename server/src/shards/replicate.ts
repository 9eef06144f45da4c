/**
 * The logical replication of one schema: a publication and a slot in one database, a subscription in the other, all of
 * the same name. Every function can be repeated, and continues where a killed process stopped.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { literal, MoveRefused, type OpenPlace, sqlCode } from './move-place.ts'

/** From `live`, which writers use, to `copy`. */
export interface Link {
  name: string
  live: OpenPlace
  copy: OpenPlace
}

interface Published {
  tables: readonly string[]
  /** What the publication is for, for whoever continues. */
  note: string
}

export async function publish({ name, live }: Link, { tables, note }: Published): Promise<void> {
  if ((await live.run('select from pg_publication where pubname = $1', [name])).length > 0) return
  // Both in one transaction.
  await live.run(
    `create publication ${name} for table ${tables.join(', ')} with (publish_via_partition_root = true);
     comment on publication ${name} is ${literal(note)}`,
  )
}

/** Throws if a table was added since. */
export async function checkPublished(
  { name, live }: Link,
  tables: readonly string[],
): Promise<void> {
  const rows = await live.read<{ name: string }>(
    `select format('%I.%I', schemaname, tablename) as name from pg_publication_tables where pubname = $1`,
    [name],
  )
  const known = new Set(rows.map((row) => row.name))
  const added = tables.filter((table) => !known.has(table))
  if (added.length > 0)
    throw new MoveRefused(
      `${added.join(', ')} was added after the move began: undo the move and start again`,
    )
}

/** With `copies`, the subscription first copies all rows; otherwise it starts with what is written from now on. */
export async function subscribe(
  { name, live, copy }: Link,
  { copies, isEnabled }: { copies: boolean; isEnabled: boolean },
): Promise<void> {
  if (await isSubscribed({ name, copy })) return
  // A slot that a killed process has left begins too early.
  await dropSlot(live, name)
  await live.run(`select pg_create_logical_replication_slot($1, 'pgoutput')`, [name])
  await copy.run(
    `create subscription ${name} connection ${literal(live.url)} publication ${name}
       with (create_slot = false, slot_name = ${name}, copy_data = ${copies}, enabled = ${isEnabled},
             origin = none, streaming = parallel)`,
  )
}

export const isSubscribed = async ({ name, copy }: Pick<Link, 'name' | 'copy'>): Promise<boolean> =>
  (await copy.run(`${SUBSCRIPTION}`, [name])).length > 0

const SUBSCRIPTION = `select from pg_subscription s join pg_database d on d.oid = s.subdbid
  where s.subname = $1 and d.datname = current_database()`

/** Also drops the slot. */
export async function unsubscribe({ name, live, copy }: Link): Promise<void> {
  if (await isSubscribed({ name, copy })) await copy.run(`drop subscription ${name}`)
  await dropSlot(live, name)
}

const SLOT_IN_USE = '55006'
const SLOT_FREE_WITHIN_MS = 10_000

async function dropSlot({ run }: OpenPlace, name: string): Promise<void> {
  const deadline = performance.now() + SLOT_FREE_WITHIN_MS
  for (;;)
    try {
      await run(
        'select pg_drop_replication_slot(slot_name) from pg_replication_slots where slot_name = $1',
        [name],
      )
      return
    } catch (error) {
      // Its process ends soon after the subscription.
      if (sqlCode(error) !== SLOT_IN_USE || performance.now() > deadline) throw error
      await sleep(20)
    }
}

export interface Progress {
  tables: number
  /** Tables whose rows have all been copied. */
  copied: number
  bytes: number
  bytesCopied: number
  /** Failed attempts to copy or to apply; the target's log has the reasons. */
  errors: number
}

export async function readProgress(
  { name, live, copy }: Link,
  schema: string,
): Promise<Progress & { isCopied: boolean }> {
  const [size] = await live.read<{ bytes: number }>(SIZE, [schema])
  const [at] = await copy.read<{ bytes: number }>(SIZE, [schema])
  const [rel] = await copy.read<{ tables: number; copied: number; errors: number }>(
    `select count(*)::integer as tables, (count(*) filter (where r.srsubstate = 'r'))::integer as copied,
            coalesce(max(t.apply_error_count + t.sync_error_count), 0)::integer as errors
       from pg_subscription s join pg_database d on d.oid = s.subdbid and d.datname = current_database()
       join pg_subscription_rel r on r.srsubid = s.oid
       left join pg_stat_subscription_stats t on t.subid = s.oid
      where s.subname = $1`,
    [name],
  )
  const progress = { ...rel!, bytes: size!.bytes, bytesCopied: at!.bytes }
  return { ...progress, isCopied: progress.tables > 0 && progress.copied === progress.tables }
}

const SIZE = `select coalesce(sum(pg_table_size(c.oid)), 0)::float8 as bytes from pg_class c
  where c.relnamespace = to_regnamespace($1) and c.relkind = 'r'`

/** The bytes of WAL that the copy has not replayed. Null if it is not connected. */
export async function readLag({ name, live }: Link): Promise<number | null> {
  const [row] = await live.read<{ bytes: number | null }>(
    `select pg_wal_lsn_diff(pg_current_wal_lsn(), r.replay_lsn)::float8 as bytes
       from pg_replication_slots s left join pg_stat_replication r on r.pid = s.active_pid
      where s.slot_name = $1`,
    [name],
  )
  return row?.bytes ?? null
}

/** Marks a place in the WAL after everything that is committed. The mark itself is on disk, and so is all before it. */
export async function markWal({ read }: OpenPlace): Promise<string> {
  const [row] = await read<{ lsn: string }>(
    `select pg_logical_emit_message(true, 'legwork move', '')::text as lsn`,
  )
  return row!.lsn
}

/**
 * Whether the copy has replayed everything up to a mark before the deadline. It reports only what is on its disk, and
 * only when something arrives, so it is made to flush and gets something.
 */
export async function hasReplayed(
  { name, live, copy }: Link,
  { lsn, deadline }: { lsn: string; deadline: number },
): Promise<boolean> {
  for (;;) {
    const rows = await live.read(
      `select from pg_replication_slots s join pg_stat_replication r on r.pid = s.active_pid
        where s.slot_name = $1 and r.replay_lsn >= $2::pg_lsn`,
      [name, lsn],
    )
    if (rows.length > 0) return true
    if (performance.now() > deadline) return false
    await Promise.all([markWal(copy), markWal(live)])
    await sleep(5)
  }
}
