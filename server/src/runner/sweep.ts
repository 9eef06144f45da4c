/**
 * Timers: due rows are found through an index and moved in small transactions. Every jobs process sweeps; a row locked
 * by another process is skipped, so processes share the work instead of repeating it.
 */
import type { Background, DueRow, Sweep } from '../kit/job.ts'
import type { Mode } from '../kit/endpoint.ts'
import { ApiError } from '../kit/errors.ts'
import { databaseOf, shardOf } from '../kit/ids.ts'
import { inTrace, tracesOf } from '../kit/traces.ts'
import { loop } from './loop.ts'

const FOUND_MAX = 500
const MOVED_TOGETHER = 50
const SET_ASIDE_MS = 30_000
/** With several schemas, a timer that finds nothing in one of them waits up to this many intervals. */
const IDLE_INTERVALS_MAX = 4

/** Rows that could not be moved, by id, and until when they are skipped. */
type SetAside = Map<string, number>

export function startSweep(background: Background, sweep: Sweep, mode?: Mode) {
  const setAside: SetAside = new Map()
  const { db, config } = background
  const intervalMs = config.SWEEP_INTERVAL_MS
  // Scripted workers keep to their script.
  const mayWait = db.shards.all.length > 1 && sweep.isTest !== true
  return loop(background, {
    name: sweep.name,
    intervalMs,
    idleMaxMs: mayWait ? IDLE_INTERVALS_MAX * intervalMs : intervalMs,
    async step() {
      // A clock that is wrong by days would approve and expire everything at once.
      if (background.clock.doubt?.() !== undefined) return 'idle'
      const { tried, moved } = await sweepOnce(background, sweep, setAside, mode)
      if (mode !== 'test')
        background.metrics.sweptAt.set(
          { timer: sweep.name },
          background.clock.now().getTime() / 1000,
        )
      if (tried >= FOUND_MAX && moved > 0) return 'more'
      return tried > 0 ? 'done' : 'idle'
    },
  })
}

/** Runs one pass over the rows due now. */
export async function sweepOnce(
  background: Background,
  sweep: Sweep,
  setAside: SetAside,
  mode?: Mode,
) {
  const { clock, config, metrics, log } = background
  const now = clock.now().getTime()
  for (const [id, until] of setAside) if (until <= now) setAside.delete(id)

  // Rows that are set aside are found again each time, before all others, so raise the limit by their number.
  const found = await sweep.due(background, FOUND_MAX + setAside.size, mode)
  const due = found.filter(({ id }) => !setAside.has(id))
  let moved = 0
  for (const rows of chunks(due, config.SHARD_DATABASES)) {
    try {
      const attributes = { 'legwork.batch_size': rows.length }
      moved += await inTrace(tracesOf(config), `timer ${sweep.name}`, { attributes }, () =>
        sweep.move(background, rows),
      )
    } catch (error) {
      if (isUnavailable(error)) throw error
      // One row that can't be moved must not block the others.
      log.warn({ timer: sweep.name, error }, 'a batch of due rows failed; trying them one by one')
      for (const row of rows) {
        moved += await sweep.move(background, [row]).catch((cause: unknown) => {
          if (isUnavailable(cause)) throw cause
          log.error({ timer: sweep.name, id: row.id, error: cause }, 'could not move a due row')
          metrics.sweepFailures.inc({ timer: sweep.name })
          setAside.set(row.id, now + SET_ASIDE_MS)
          return 0
        })
      }
    }
  }
  if (moved > 0) metrics.swept.inc({ timer: sweep.name }, moved)
  return { tried: due.length, moved }
}

/** If the database is unreachable, no row is at fault. */
function isUnavailable(error: unknown): boolean {
  return error instanceof ApiError && error.code === 'unavailable'
}

/** Splits rows into transactions of limited size, each within one database. */
function chunks(rows: DueRow[], databases: number): DueRow[][] {
  const byDatabase = Map.groupBy(rows, ({ id }) => databaseOf(shardOf(id), databases))
  return [...byDatabase.values()].flatMap((group) =>
    Array.from({ length: Math.ceil(group.length / MOVED_TOGETHER) }, (_, i) =>
      group.slice(i * MOVED_TOGETHER, (i + 1) * MOVED_TOGETHER),
    ),
  )
}
