/** The feed's queries, one for each sort order. The functions are in server/functions/open_tasks_feed.sql. */
import type { Db } from '../kit/db.ts'
import { cellsWithin } from '../places/cells.ts'
import { abilityKeys } from './ability-keys.ts'
import type { Candidate } from './score.ts'
import type { Seeker } from './seeker.ts'

export interface Row extends Candidate {
  task_id: string
  agent_id: string
  level_needed: number
}

/** Sorts after every task id. */
export const LAST_ID = 'task_~'

const NEWEST =
  'select * from feed_newest($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)'
const BEST_PAID =
  'select * from feed_best_paid($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14,$15,$16,$17)'
const NEAREST = 'select * from feed_nearest($1,$2,$3,$4,$5,$6,$7,$8,$9,$10,$11,$12,$13,$14)'

export const newest = (
  { shards }: Db,
  seeker: Seeker,
  { from, before, limit }: { from: string; before: string; limit: number },
) =>
  shards.feed.call<Row & Record<string, unknown>>('feed_newest', NEWEST, [
    ...cellValues(seeker),
    from,
    before,
    ...filterValues(seeker, limit),
  ])

export const bestPaid = (
  { shards }: Db,
  seeker: Seeker,
  { cents, id, limit }: { cents: number; id: string; limit: number },
) =>
  shards.feed.call<Row & Record<string, unknown>>('feed_best_paid', BEST_PAID, [
    ...cellValues(seeker),
    cents,
    id,
    ...filterValues(seeker, limit),
  ])

/** Tasks after the one at this distance; a null `km` returns only tasks without a place, which come last. */
export const nearest = (
  { shards }: Db,
  seeker: Seeker,
  { km, id, limit }: { km: number | null; id: string; limit: number },
) =>
  shards.feed.call<Row & Record<string, unknown>>('feed_nearest', NEAREST, [
    km,
    id,
    km === null ? id : LAST_ID,
    ...filterValues(seeker, limit),
  ])

/** The cells in reach, plus cell 0, which holds the tasks without a place. */
function cellValues({ place }: Seeker): unknown[] {
  if (place === undefined) return [null, null, null, null]
  const { resolution, cells, isInner, isMostlyIn } = cellsWithin(place)
  return [resolution, `{0,${cells.join()}}`, `{t,${isInner.join()}}`, `{t,${isMostlyIn.join()}}`]
}

function filterValues(seeker: Seeker, limit: number): unknown[] {
  const { place, now, levelShown, types, payMin, hidden, muted } = seeker
  return [
    limit,
    place?.lat ?? null,
    place?.lng ?? null,
    place?.radiusKm ?? null,
    now,
    levelShown,
    abilityKeys(seeker),
    types,
    payMin,
    hidden,
    muted,
  ]
}
