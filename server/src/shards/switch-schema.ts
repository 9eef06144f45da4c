/**
 * Switches a schema from the database that writers use to the copy of it, while they write.
 *
 * `switchAway` makes writers wait, for `pauseMaxMs` at most, until the copy has everything and was compared. Then it
 * closes the old schema in one transaction: every write fails with LW001, every read with 42501. `openHere` opens the
 * copy. Between the two nobody can use the schema, so a killed mover must be run again.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { compareTables, type Verified } from './compare-tables.ts'
import { inTransaction, MoveRefused, type OpenPlace, sqlCode } from './move-place.ts'
import { copySequences, type MovedTable, readRelations, readTables } from './moved-tables.ts'
import { hasReplayed, type Link, markWal } from './replicate.ts'

export interface MovedSchema {
  name: string
  role: string
}

const FENCE = 'shards_refuse_moved'
/** A writer that holds a table for longer must not make others queue behind the mover. */
const LOCK_TIMEOUT_MS = 150
const LOCK_ALL_MS = 500
const LOCK_RETRIES = 100
/** What is left of the pause for the steps after the old schema was closed. */
export const OPEN_MS = 600
/** If this process hangs, or its machine is gone, PostgreSQL ends its transaction. */
const HANGS_MS = 2500
/** Lock timeout, deadlock, statement timeout. */
const BUSY = new Set(['55P03', '40P01', '57014'])

/** When the pause began. If it was given up, also how long it was; otherwise it goes on. */
interface Paused {
  outcome: 'switched' | 'too slow'
  startedMs: number
  pauseMs?: number
}

interface SwitchOptions {
  schema: MovedSchema
  tables: { whole: readonly MovedTable[]; verified: readonly Verified[] }
  pauseMaxMs: number
  isCatchUpSkipped: boolean
  onStep(step: 'locked' | 'compared'): Promise<void>
}

export async function switchAway(link: Link, options: SwitchOptions): Promise<Paused> {
  const { live, copy } = link
  const { schema, tables, pauseMaxMs, isCatchUpSkipped, onStep } = options
  const startedMs = await lockTables(live, schema.name)
  const deadline = startedMs + pauseMaxMs - OPEN_MS
  const isLate = () => performance.now() > deadline
  try {
    await onStep('locked')
    const lsn = await markWal(live)
    if (!isCatchUpSkipped && !(await hasReplayed(link, { lsn, deadline })))
      return await giveUp(live, startedMs)
    await copySequences(live, copy, schema.name)
    // Replayed commits may not be on disk yet. The mark is, and so is all before it.
    await markWal(copy)
    const comparing = compareTables(live, copy, tables)
    const differing = await before(deadline, comparing)
    if (differing === undefined) {
      const paused = await giveUp(live, startedMs)
      // The next attempt needs the connections.
      await comparing.catch(() => {})
      return paused
    }
    if (differing.length > 0)
      throw new MoveRefused(
        `Not switched: ${live.name} and ${copy.name} differ in ${differing.join(', ')}`,
      )
    await onStep('compared')
    if (isLate()) return await giveUp(live, startedMs)
    await close(live, copy.name, schema)
    await live.run('commit')
    return { outcome: 'switched', startedMs }
  } catch (error) {
    await live.run('rollback').catch(() => {})
    throw error
  }
}

async function giveUp({ run }: OpenPlace, startedMs: number): Promise<Paused> {
  await run('rollback')
  return { outcome: 'too slow', startedMs, pauseMs: performance.now() - startedMs }
}

/** Undefined if the work takes longer. */
async function before<T>(deadline: number, work: Promise<T>): Promise<T | undefined> {
  const timer = new AbortController()
  const late = sleep(Math.max(0, deadline - performance.now()), undefined, { signal: timer.signal })
  try {
    return await Promise.race([work, late])
  } finally {
    timer.abort()
    late.catch(() => {})
  }
}

/**
 * Leaves a transaction open in which only this process can write to the schema, and returns when it began. Readers go
 * on. A table that others held is locked first in the next attempt: it is likely to be the first in their transactions,
 * so they wait there without holding anything else.
 */
async function lockTables({ name, run, read }: OpenPlace, schema: string): Promise<number> {
  const tables = (await readTables(read, schema)).map((table) => table.name)
  for (let attempt = 1; attempt <= LOCK_RETRIES; attempt += 1) {
    const startedMs = performance.now()
    const waiting = [...tables]
    await run('begin')
    try {
      await run(
        `set local lock_timeout = ${LOCK_TIMEOUT_MS}; set local statement_timeout = ${HANGS_MS};
         set local idle_in_transaction_session_timeout = ${HANGS_MS}`,
      )
      // Partitions are locked with their table.
      for (; waiting.length > 0; waiting.shift()) {
        if (performance.now() - startedMs > LOCK_ALL_MS) break
        await run(`lock table ${waiting[0]} in exclusive mode`)
      }
      if (waiting.length === 0) return startedMs
    } catch (error) {
      if (!BUSY.has(sqlCode(error) ?? '')) throw error
      tables.unshift(...tables.splice(tables.indexOf(waiting[0]!), 1))
    }
    await run('rollback')
    await sleep(50 + Math.random() * 200)
  }
  throw new MoveRefused(
    `The tables of ${schema} in ${name} were never free: end long transactions there, then run the command again`,
  )
}

/** In the transaction that holds the locks. */
async function close(live: OpenPlace, to: string, { name, role }: MovedSchema): Promise<void> {
  const relations = await readRelations(live.run, name)
  await live.run(`
    create or replace function ${name}.${FENCE}() returns trigger language plpgsql as $$
    begin
      raise exception 'schema ${name} has moved' using errcode = 'LW001';
    end
    $$;
    ${relations
      .map(
        (table) =>
          `create or replace trigger ${FENCE} before insert or update or delete or truncate on ${table}
             for each statement execute function ${name}.${FENCE}();`,
      )
      .join('\n')}
    revoke usage on schema ${name} from ${role}`)
  await setPlace(live, { schema: name, database: to, isHere: false })
}

/** Lets writers use the schema here. The other side must be closed. */
export async function openHere(place: OpenPlace, { name, role }: MovedSchema): Promise<void> {
  await inTransaction(place, async () => {
    await place.run(`drop function if exists ${name}.${FENCE}() cascade`)
    await place.run(`select ${name}.ledger_forget_seals()`)
    await place.run(`grant usage on schema ${name} to ${role}`)
    await setPlace(place, { schema: name, database: place.name, isHere: true })
  })
}

/** Before its rows are complete, nobody may see them. */
export const hideSchema = ({ run }: OpenPlace, { name, role }: MovedSchema) =>
  run(`revoke usage on schema ${name} from ${role}`)

export async function setPlace(
  { run }: Pick<OpenPlace, 'run'>,
  { schema, database, isHere }: { schema: string; database: string; isHere: boolean },
): Promise<void> {
  await run('update public.shards set database = $2, is_here = $3 where schema = $1', [
    schema,
    database,
    isHere,
  ])
}

/** A database that was never migrated has no list. */
export async function isOpen({ run }: OpenPlace, schema: string): Promise<boolean> {
  const [list] = await run<{ is_there: boolean }>(
    `select to_regclass('public.shards') is not null as is_there`,
  )
  if (!list!.is_there) return false
  const [row] = await run<{ is_here: boolean }>(
    'select is_here from public.shards where schema = $1',
    [schema],
  )
  return row?.is_here ?? false
}
