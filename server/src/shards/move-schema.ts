/**
 * Moves a schema to another database while it is used, by PostgreSQL's logical replication (docs/shards.md).
 *
 *   moveSchema   copies the schema, switches to the copy, and lets the old schema follow the new one
 *   undoMove     before the switch: removes the copy. After it: switches back, with as short a pause
 *   finishMove   removes the old schema; from then on there is no undo
 *
 * What was done is recorded by what exists: the publication in the source is the first thing that is made and the last
 * that is removed, and its comment says where the schema goes and whether the move is being undone or finished.
 * `is_here` in the table `shards` of each database says which schema is open. So a killed mover can be run again, and
 * continues.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { compareTables, splitBySize, verifyEarly } from './compare-tables.ts'
import { literal, MoveRefused, type OpenPlace, openPlace, type Place } from './move-place.ts'
import {
  checkMovable,
  checkSameMigrations,
  copyPartitions,
  emptyTables,
  hasSchema,
  maintainPartitions,
  readTables,
} from './moved-tables.ts'
import {
  checkPublished,
  hasReplayed,
  isSubscribed,
  type Link,
  markWal,
  publish,
  readLag,
  readProgress,
  subscribe,
  unsubscribe,
} from './replicate.ts'
import {
  hideSchema,
  isOpen,
  type MovedSchema,
  OPEN_MS,
  openHere,
  setPlace,
  switchAway,
} from './switch-schema.ts'

/** In their order. A test kills the mover at each of them. */
export const MOVE_STEPS = [
  'recorded',
  'prepared',
  'subscribed',
  'copied',
  'linked back',
  'locked',
  'compared',
  'switched',
  'detached',
  'opened',
  'following back',
] as const
export const UNDO_STEPS = [
  'marked',
  'locked',
  'compared',
  'switched',
  'detached',
  'opened',
  'unlinked',
  'dropped',
] as const
export const FINISH_STEPS = ['marked', 'unlinked', 'dropped'] as const
export type MoveStep =
  | (typeof MOVE_STEPS)[number]
  | (typeof UNDO_STEPS)[number]
  | (typeof FINISH_STEPS)[number]

export interface Move {
  schema: MovedSchema
  source: Place
  target: Place
  /** The database whose list of shards counts. It may be the source or the target. */
  main: Place
  /** Makes the empty schema in the target, as the migrations do. */
  addSchema(url: string): Promise<void>
  onProgress(line: string): void
  /** The longest time without writes. If a switch would take longer, writers go on and it is tried again. */
  pauseMaxMs?: number
  /** Tables that are larger together are partly compared before the pause. */
  wholeBytesMax?: number
  /** Called after each step. */
  onStep?(step: MoveStep): Promise<void>
  /** Tests only: switches without waiting for the copy, which the comparison must notice. */
  isCatchUpSkipped?: boolean
}

export interface Moved {
  /** How long nobody could write; null if an earlier run has switched. */
  pauseMs: number | null
  tables: number
}

const PAUSE_MAX_MS = 2000
const WHOLE_BYTES_MAX = 32_000_000
const ATTEMPTS = 30
const LAG_MAX_BYTES = 1_000_000
const POLL_MS = 50
const REPORT_EVERY_MS = 1000

type State = 'move' | 'undo' | 'finish'

interface Opened {
  source: OpenPlace
  target: OpenPlace
  main: OpenPlace
  forward: Link
  back: Link
}

const nameOf = (kind: 'move' | 'back', schema: string) => `legwork_${kind}_${schema}`

export const moveSchema = (move: Move): Promise<Moved> =>
  withPlaces(move, async (opened) => {
    const { source, target, forward } = opened
    const { name } = move.schema
    const record = await readRecord(source, name)
    if (record === undefined) await begin(move, opened)
    else if (record.to !== target.name || record.state !== 'move')
      throw new MoveRefused(`${describe(name, record)} Finish or undo that first`)
    if (!(await isOpen(source, name))) return complete(move, opened, null)

    if (!(await isSubscribed(forward))) {
      await prepare(move, opened)
      await step(move, 'prepared')
      await subscribe(forward, { copies: true, isEnabled: true })
    }
    await step(move, 'subscribed')
    await awaitCopy(move, forward)
    await step(move, 'copied')
    await linkBack(move, opened)
    await step(move, 'linked back')
    return complete(move, opened, await switchTo(move, forward))
  })

export const undoMove = (move: Move): Promise<Moved> =>
  withPlaces(move, async (opened) => {
    const { source, target, main, forward, back } = opened
    const { name } = move.schema
    const record = await readRecord(source, name)
    if (record === undefined)
      throw new MoveRefused(`No move of ${name} from ${source.name} is under way`)
    if (record.state === 'finish')
      throw new MoveRefused(`${describe(name, record)} It can’t be undone; run finish again`)
    if (record.state === 'move') {
      // A move that was interrupted in the middle of its switch is completed first.
      if (!(await isOpen(source, name)) && !(await isOpen(target, name)))
        await complete(move, opened, null)
      await setRecord(source, name, { state: 'undo', to: record.to })
    }
    await step(move, 'marked')
    let pauseMs: number | null = null
    const tables = await readTables(source.run, name)
    if (!(await isOpen(source, name))) {
      let startedMs: number | null = null
      if (await isOpen(target, name)) {
        await enable(back)
        startedMs = await switchTo(move, back)
      }
      await step(move, 'switched')
      await unsubscribe(back)
      await step(move, 'detached')
      await openHere(source, move.schema)
      await step(move, 'opened')
      await recordInMain(main, source, name)
      pauseMs = startedMs === null ? null : performance.now() - startedMs
    } else await recordInMain(main, source, name)
    await unsubscribe(forward)
    await unsubscribe(back)
    await step(move, 'unlinked')
    await dropCopy(target, name)
    await target.run(`drop publication if exists ${back.name}`)
    await step(move, 'dropped')
    await source.run(`drop publication ${forward.name}`)
    return { pauseMs, tables: tables.length }
  })

export const finishMove = (move: Move): Promise<void> =>
  withPlaces(move, async ({ source, target, forward, back }) => {
    const { name } = move.schema
    const record = await readRecord(source, name)
    if (record === undefined)
      throw new MoveRefused(`No move of ${name} from ${source.name} is under way`)
    if (record.state === 'undo') throw new MoveRefused(`${describe(name, record)} Run undo again`)
    if ((await isOpen(source, name)) || !(await isOpen(target, name)))
      throw new MoveRefused(`${name} is not in use in ${target.name} yet: run move again`)
    await setRecord(source, name, { state: 'finish', to: record.to })
    await step(move, 'marked')
    await unsubscribe(back)
    await target.run(`drop publication if exists ${back.name}`)
    await step(move, 'unlinked')
    await dropCopy(source, name)
    await step(move, 'dropped')
    await source.run(`drop publication ${forward.name}`)
  })

/** The database that a schema is being moved from, and where to; undefined if none. */
export async function findMove(
  places: readonly Place[],
  schema: string,
): Promise<{ source: Place; target: Place } | undefined> {
  for (const source of places) {
    const record = await lookUp(source, schema)
    if (record === undefined) continue
    const target = places.find(({ name }) => name === record.to)
    if (target === undefined)
      throw new MoveRefused(`${describe(schema, record)} DATABASES does not name ${record.to}`)
    return { source, target }
  }
  return undefined
}

async function lookUp(place: Place, schema: string): Promise<MoveRecord | undefined> {
  const open = await openPlace(place, schema)
  try {
    return await readRecord(open, schema)
  } finally {
    await open.close()
  }
}

async function withPlaces<T>(move: Move, work: (opened: Opened) => Promise<T>): Promise<T> {
  const { schema, source, target, main } = move
  if (!/^[a-z][a-z0-9_]{0,30}$/.test(schema.name))
    throw new MoveRefused(`${schema.name} is not the name of a schema`)
  if (source.name === target.name)
    throw new MoveRefused(`${schema.name} is already in the database ${target.name}`)
  const open = new Map<string, OpenPlace>()
  try {
    for (const place of [source, target, main])
      if (!open.has(place.name)) open.set(place.name, await openPlace(place, schema.name))
    const from = open.get(source.name)!
    const to = open.get(target.name)!
    return await work({
      source: from,
      target: to,
      main: open.get(main.name)!,
      forward: { name: nameOf('move', schema.name), live: from, copy: to },
      back: { name: nameOf('back', schema.name), live: to, copy: from },
    })
  } finally {
    await Promise.all([...open.values()].map((place) => place.close()))
  }
}

const step = async ({ onStep }: Move, name: MoveStep) => onStep?.(name)

/** The record is made before anything else, so whatever is found in the target later is of this move. */
async function begin(move: Move, { source, target, forward }: Opened): Promise<void> {
  const { name } = move.schema
  const other = await readRecord(target, name)
  if (other !== undefined)
    throw new MoveRefused(`${describe(name, other)} Finish or undo that first`)
  if (!(await isOpen(source, name)))
    throw new MoveRefused(`${name} is not in the database ${source.name}`)
  await checkMovable(source, target, name)
  if (await hasSchema(target.run, name))
    throw new MoveRefused(`The database ${target.name} already has a schema ${name}: drop it there`)
  const tables = await readTables(source.run, name)
  await publish(forward, {
    tables: tables.map((table) => table.name),
    note: `move to ${target.name}`,
  })
  await step(move, 'recorded')
}

async function prepare(move: Move, { source, target, main }: Opened): Promise<void> {
  const { schema, addSchema, onProgress } = move
  onProgress(`making the tables of ${schema.name} in ${target.name}`)
  await addSchema(target.url)
  await hideSchema(target, schema)
  await copyLayout(main, target)
  await checkSameMigrations(source, target, schema.name)
  await copyPartitions(source, target, schema.name)
  await emptyTables(target, schema.name)
}

/** Every database has the whole list of shards. */
async function copyLayout(main: OpenPlace, target: OpenPlace): Promise<void> {
  const rows = await main.run(
    'select schema, first_shard, last_shard, database from public.shards order by schema',
  )
  await target.run(
    `insert into public.shards (schema, first_shard, last_shard, database, is_here)
     select s.schema, s.first_shard, s.last_shard, s.database, s.database = $2
       from jsonb_to_recordset($1::jsonb) s(schema text, first_shard integer, last_shard integer, database text)
     on conflict do nothing`,
    [JSON.stringify(rows), target.name],
  )
}

async function awaitCopy({ schema, onProgress }: Move, link: Link): Promise<void> {
  let reportAt = 0
  for (;;) {
    const { isCopied, tables, copied, bytes, bytesCopied, errors } = await readProgress(
      link,
      schema.name,
    )
    if (isCopied || performance.now() > reportAt) {
      onProgress(
        `copied ${copied} of ${tables} tables, ${megabytes(bytesCopied)} of ${megabytes(bytes)}` +
          (errors > 0 ? `; ${errors} errors, see the log of ${link.copy.name}` : ''),
      )
      reportAt = performance.now() + REPORT_EVERY_MS
    }
    if (isCopied) return
    await sleep(POLL_MS)
  }
}

/** Waits until little is left to replay, so that the pause will be short. */
async function awaitLag({ onProgress }: Move, link: Link): Promise<void> {
  let reportAt = 0
  for (;;) {
    const bytes = await readLag(link)
    const isNear = bytes !== null && bytes < LAG_MAX_BYTES
    if (isNear || performance.now() > reportAt) {
      onProgress(
        bytes === null
          ? `${link.copy.name} is not connected to ${link.live.name}`
          : `${link.copy.name} is ${megabytes(bytes)} behind`,
      )
      reportAt = performance.now() + REPORT_EVERY_MS
    }
    if (isNear) return
    await sleep(POLL_MS)
  }
}

/** Prepares the way back before the switch: its slot must exist before the first write to the target. */
async function linkBack(move: Move, { source, target, back }: Opened): Promise<void> {
  const { name } = move.schema
  await maintainPartitions(source, target, name)
  const tables = await readTables(target.run, name)
  await publish(back, {
    tables: tables.map((table) => table.name),
    note: `back to ${source.name}`,
  })
  await subscribe(back, { copies: false, isEnabled: false })
}

/** Returns when the pause began, which has not ended yet. */
async function switchTo(move: Move, link: Link): Promise<number> {
  const { schema, onProgress, pauseMaxMs = PAUSE_MAX_MS, isCatchUpSkipped = false } = move
  const { live, copy } = link
  const catchUp = async () => {
    if (isCatchUpSkipped) return
    const lsn = await markWal(live)
    while (!(await hasReplayed(link, { lsn, deadline: performance.now() + REPORT_EVERY_MS })))
      await awaitLag(move, link)
  }
  let bytesMax = move.wholeBytesMax ?? WHOLE_BYTES_MAX
  for (let attempt = 1; attempt <= ATTEMPTS; attempt += 1) {
    await maintainPartitions(live, copy, schema.name)
    await checkSameMigrations(live, copy, schema.name)
    const tables = await readTables(live.read, schema.name)
    await checkPublished(
      link,
      tables.map((table) => table.name),
    )
    const { whole, large } = splitBySize(tables, bytesMax)
    const verified = []
    for (const table of large) {
      onProgress(`comparing ${table.name}, ${megabytes(table.bytes)}, before the pause`)
      verified.push(await verifyEarly(table, { live, copy, catchUp }))
    }
    if (!isCatchUpSkipped) await awaitLag(move, link)
    // A rehearsal: nobody waits if the comparison is too slow, and the next one is faster.
    const rehearsedMs = performance.now()
    await compareTables(live, copy, { whole, verified })
    const comparedMs = performance.now() - rehearsedMs
    if (comparedMs > pauseMaxMs - OPEN_MS) {
      onProgress(`comparing took ${Math.round(comparedMs)} ms, too long for a pause`)
      bytesMax /= 4
      await sleep(500)
      continue
    }
    const {
      outcome,
      startedMs,
      pauseMs = 0,
    } = await switchAway(link, {
      schema,
      tables: { whole, verified },
      pauseMaxMs,
      isCatchUpSkipped,
      onStep: (name) => step(move, name),
    })
    if (outcome === 'switched') return startedMs
    onProgress(
      `gave up after a pause of ${Math.round(pauseMs)} ms; writers go on, next attempt in a moment`,
    )
    bytesMax /= 4
    await sleep(Math.min(10_000, 500 * attempt))
  }
  throw new MoveRefused(
    `${schema.name} could not be switched within ${pauseMaxMs} ms in ${ATTEMPTS} attempts. It is still in use in ` +
      `${live.name}, and ${copy.name} follows: run the command again at a quieter time, or undo the move`,
  )
}

/** What follows the switch. Repeats what an interrupted run may have done. */
async function complete(
  move: Move,
  { target, main, forward, back }: Opened,
  startedMs: number | null,
): Promise<Moved> {
  const { schema } = move
  await step(move, 'switched')
  await unsubscribe(forward)
  await step(move, 'detached')
  await openHere(target, schema)
  await step(move, 'opened')
  await recordInMain(main, target, schema.name)
  const pauseMs = startedMs === null ? null : performance.now() - startedMs
  await enable(back)
  await step(move, 'following back')
  return { pauseMs, tables: (await readTables(target.run, schema.name)).length }
}

const enable = ({ name, copy }: Link) => copy.run(`alter subscription ${name} enable`)

async function recordInMain(main: OpenPlace, at: OpenPlace, schema: string): Promise<void> {
  await setPlace(main, { schema, database: at.name, isHere: main.name === at.name })
}

/** Never the one in use. */
async function dropCopy(place: OpenPlace, schema: string): Promise<void> {
  if (await isOpen(place, schema))
    throw new Error(`${schema} is in use in ${place.name} and is not dropped`)
  await place.run(`drop schema if exists ${schema} cascade`)
}

interface MoveRecord {
  state: State
  to: string
}

async function readRecord({ run }: OpenPlace, schema: string): Promise<MoveRecord | undefined> {
  const [row] = await run<{ note: string | null }>(
    `select obj_description(oid, 'pg_publication') as note from pg_publication where pubname = $1`,
    [nameOf('move', schema)],
  )
  if (row === undefined) return undefined
  const [, state, to] = /^(move|undo|finish) to (.+)$/.exec(row.note ?? '') ?? []
  if (state === undefined) throw new Error(`the publication of the move of ${schema} has no note`)
  return { state: state as State, to: to! }
}

async function setRecord(
  { run }: OpenPlace,
  schema: string,
  { state, to }: MoveRecord,
): Promise<void> {
  const note = literal(`${state} to ${to}`)
  await run(`comment on publication ${nameOf('move', schema)} is ${note}`)
}

const STATES: Record<State, string> = {
  move: 'is being moved',
  undo: 'was being moved, which is being undone,',
  finish: 'was moved, which is being finished,',
}
const describe = (schema: string, { state, to }: MoveRecord) =>
  `${schema} ${STATES[state]} to ${to}.`

const megabytes = (bytes: number) => `${(bytes / 1_000_000).toFixed(1)} MB`
