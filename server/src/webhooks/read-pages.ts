import { batcher } from '../kit/batch.ts'
import { ApiError } from '../kit/errors.ts'
import type { Background } from '../kit/job.ts'
import { tracesOf } from '../kit/traces.ts'
import type { HeldLane, HeldLanes } from './held-lanes.ts'
import { knownIds, type LaneEvent, type Page, pageOf, toQueued } from './lane.ts'
import { type DueDelivery, LANES_TOGETHER, readDue } from './lanes.ts'
import { useSecrets } from './send-delivery.ts'
import { readTraceparents } from './trace-deliveries.ts'

/** Reads the due deliveries of several lanes with one statement. */
export function openPageReader({ db, clock, config, log, metrics }: Background, lanes: HeldLanes) {
  const reads = batcher({ name: 'read_due', run: readTogether, sizeMax: LANES_TOGETHER })

  async function read(lane: HeldLane): Promise<LaneEvent> {
    try {
      const page = await reads.add(lane)
      if (page === undefined) return { type: 'read_postponed' }
      const last = page.rows.at(-1)
      if (last !== undefined) useSecrets(lane, last.row, config)
      return { type: 'page_read', page }
    } catch (error) {
      log.error({ error, lane: lane.id }, 'could not read the deliveries of a lane')
      return { type: 'read_failed' }
    }
  }

  /** Returns a page per lane, or undefined if the database is unavailable. */
  async function readTogether(asking: HeldLane[]): Promise<(Page | undefined)[]> {
    const asked = asking.map(({ id, state }) => ({ id, page: pageOf(state, lanes.size) }))
    const known = asking.flatMap(({ state }) => knownIds(state))
    const found = await readTraced({ now: clock.now(), lanes: asked, known }).catch(
      (error: unknown) => {
        if (!(error instanceof ApiError)) throw error
      },
    )
    if (found === undefined) return asking.map(() => undefined)
    const byLane = Map.groupBy(found, ({ lane }) => lane)
    return asked.map(({ id, page }) => {
      const read = byLane.get(id) ?? []
      logSkipped(id, read)
      const rows = read.filter(({ is_void, is_missing }) => !is_void && !is_missing)
      return { rows: toQueued(rows), hasMore: read.length === page, isEmpty: read.length === 0 }
    })
  }

  async function readTraced(due: Parameters<typeof readDue>[1]): Promise<DueDelivery[]> {
    const rows = await readDue(db, due)
    if (tracesOf(config) === undefined || rows.length === 0) return rows
    const traceparents = await readTraceparents(
      db,
      rows.map(({ event_id }) => event_id),
    )
    return rows.map((row) => ({ ...row, traceparent: traceparents.get(row.event_id) }))
  }

  function logSkipped(lane: string, rows: DueDelivery[]): void {
    const idsOf = (which: 'is_void' | 'is_missing') =>
      rows.flatMap((row) => (row[which] ? [row.event_id] : []))
    const events = idsOf('is_void')
    if (events.length > 0) {
      metrics.deliveries.inc({ outcome: 'dropped' }, events.length)
      log.warn({ lane, events }, 'deliveries were dropped: their receiver no longer exists')
    }
    const missing = idsOf('is_missing')
    if (missing.length > 0) log.error({ lane, events: missing }, 'events are missing from the log')
  }

  return { read }
}
