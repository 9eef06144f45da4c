/**
 * Counts the responses of this process by minute and group of routes, and stores them once a minute. The desk shows the
 * error rate from these rows: it can't see the metrics of other processes. A process also writes a row of zeros, which
 * tells that it lives.
 */
import { randomUUID } from 'node:crypto'
import type { Clock } from '../kit/clock.ts'
import type { Db } from '../kit/db.ts'
import { ROUTE_GROUPS, type RouteGroupName, routeGroupOf } from '../kit/route-groups.ts'

const MINUTE_MS = 60_000
/** While the database is away, older minutes are dropped. */
const MINUTES_KEPT = 60

interface Counts {
  requests: number
  refused: number
  failed: number
  slow: number
}

export type RequestCounts = ReturnType<typeof openRequestCounts>

export function openRequestCounts({ global, clock }: { global: Db; clock: Clock }) {
  const process_id = randomUUID()
  const minutes = new Map<number, Map<RouteGroupName, Counts>>()

  const minuteOf = (at: Date) => Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS

  function countsOf(minute: number, group: RouteGroupName): Counts {
    let groups = minutes.get(minute)
    if (groups === undefined) minutes.set(minute, (groups = new Map()))
    let counts = groups.get(group)
    if (counts === undefined)
      groups.set(group, (counts = { requests: 0, refused: 0, failed: 0, slow: 0 }))
    return counts
  }

  async function store(ended: [number, Map<RouteGroupName, Counts>][]): Promise<void> {
    const rows = ended.flatMap(([minute, groups]) =>
      [...groups].map(([route_group, counts]) => ({
        minute: new Date(minute),
        process_id,
        route_group,
        ...counts,
      })),
    )
    if (rows.length > 0)
      await global.reader
        .insertInto('request_minutes')
        .values(rows)
        .onConflict((conflict) => conflict.doNothing())
        .execute()
    for (const [minute] of ended) minutes.delete(minute)
  }

  return {
    add({
      method,
      route,
      status,
      ms,
    }: {
      method: string
      route: string
      status: number
      ms: number
    }) {
      const group = routeGroupOf(method, route)
      const counts = countsOf(minuteOf(clock.now()), group)
      counts.requests += 1
      if (status >= 500) counts.failed += 1
      else if (status >= 400) counts.refused += 1
      if (status < 500 && ms > ROUTE_GROUPS[group].slowMs) counts.slow += 1
      const [oldest] = minutes.keys()
      if (minutes.size > MINUTES_KEPT) minutes.delete(oldest!)
    },
    /** Stores the minutes that have ended. */
    async step() {
      const current = minuteOf(clock.now())
      await store([...minutes].filter(([minute]) => minute < current))
      countsOf(current, 'other')
      return 'idle' as const
    },
    /** Stores the current minute, too: the process stops. A count that can't be stored is lost. */
    close: () => store([...minutes]).catch(() => {}),
  }
}
