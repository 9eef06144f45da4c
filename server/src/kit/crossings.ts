/**
 * The crossing to other databases. A transaction that has something to do in a schema of another database keeps it in
 * the table `crossings` (shards_send). It is done after the commit, before the caller gets its result, so that agent
 * and worker read their own writes. If the process dies in between, or the other database is away, the relay does it.
 * The receiving schema records what it has applied (shards_receive), so nothing is applied twice.
 */
import { call as callFunction } from './call.ts'
import { areTogether, type Db, isCrossing, isUnreachable, type Shards } from './db.ts'
import { unavailable } from './errors.ts'
import type { Functions } from './functions.ts'

const BATCH = 100

interface Crossing extends Record<string, unknown> {
  id: number
  call: string
  arguments: string
}

export interface CrossingOptions {
  /** Writes tasks of this schema to the feed, as they are now. Without it, the relay of another process does. */
  project?: (db: Db, taskIds: string[]) => Promise<void>
  /** Called between the steps. Tests kill the process there. */
  onStep?: (step: 'committed' | 'applied') => void
  onError(error: unknown): void
}

export function openCrossings(
  shards: () => Shards,
  { project, onStep = () => {}, onError }: CrossingOptions,
) {
  const lanes = new Map<string, ReturnType<typeof laneOf>>()

  async function apply(db: Db, target: Db, { id, call, arguments: values }: Crossing) {
    const { feed, global } = shards()
    if (target === feed) await project!(db, JSON.parse(values) as string[])
    else if (target === global)
      await callFunction(
        global,
        'files_remember_photo',
        JSON.parse(values) as Functions['files_remember_photo']['args'],
      )
    else
      await target.call('shards_receive', 'select shards_receive($1, $2, $3, $4)', [
        db.schema.name,
        id,
        call,
        values,
      ])
  }

  /** In the order in which they were committed, so that a later state of a task comes last. */
  async function pass(db: Db, home: string): Promise<void> {
    const { all, global, feed } = shards()
    const target = { global, feed }[home] ?? all.find(({ schema }) => schema.name === home)
    if (!target || target.isAway() || (target === feed && !project)) return
    for (;;) {
      const rows = await db.call<Crossing>('shards_crossings', WAITING, [home, BATCH])
      if (rows.length === 0) return
      const applied: number[] = []
      for (const row of rows) {
        onStep('committed')
        try {
          await apply(db, target, row)
          applied.push(row.id)
        } catch (error) {
          onError(error)
          // An unreachable database has nothing for the other rows, either.
          if (isUnreachable(error)) break
        }
      }
      if (applied.length === 0) return
      onStep('applied')
      await callFunction(db, 'shards_crossed', { p_ids: applied })
      if (rows.length < BATCH) return
    }
  }

  const laneOf = (db: Db, home: string) =>
    oneAtATime(() => isCrossing.run(true, () => pass(db, home).catch(onError)))

  return {
    /** Resolves when all that this schema had committed for these schemas is done, or can't be done now. */
    async cross(db: Db, homes: readonly string[]): Promise<void> {
      await Promise.all(
        homes.map((home) => {
          const name = `${db.schema.name} ${home}`
          const lane = lanes.get(name) ?? laneOf(db, home)
          lanes.set(name, lane)
          return lane()
        }),
      )
    },
  }
}

/** Runs `work` for every caller, but only once for all that call while it runs. */
function oneAtATime(work: () => Promise<void>): () => Promise<void> {
  let running: Promise<void> | undefined
  let next: Promise<void> | undefined
  function start(): Promise<void> {
    const run = work().finally(() => {
      if (running === run) running = undefined
    })
    running = run
    return run
  }
  return () => {
    if (running === undefined) return start()
    // What runs now may have begun before the caller's commit.
    next ??= running.then(() => {
      next = undefined
      return start()
    })
    return next
  }
}

/** Does what this schema has for those of other databases, and throws if something is left. */
export async function finishCrossings(db: Db, targets: readonly Db[]): Promise<void> {
  const homes = targets.filter((one) => !areTogether(one, db)).map(({ schema }) => schema.name)
  if (homes.length === 0) return
  await db.shards.cross(db, homes)
  const left = await waitingHomes(db)
  if (homes.some((home) => left.includes(home))) throw unavailable({ retry_after_seconds: 1 })
}

/** The schemas for which this one has something. */
export async function waitingHomes(db: Db): Promise<string[]> {
  const rows = await db.call<{ home: string }>(
    'shards_waiting_homes',
    'select distinct home from crossings',
    [],
  )
  return rows.map(({ home }) => home)
}

const WAITING =
  'select id, call, arguments::text as arguments from crossings where home = $1 order by id limit $2'
