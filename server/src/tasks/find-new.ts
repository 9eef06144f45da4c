import type { Db } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import { type Card, showCards } from './feed-card.ts'
import { LAST_ID, newest } from './feed-rows.ts'
import { scoreOf } from './matching.ts'
import type { Task } from './queries.ts'
import { findSeeker } from './seeker.ts'

/** The best matches are sought among so many of the newest. */
const RANKED_MAX = 200

/** Each null is as the worker's profile says. */
interface Wish {
  lat: number | null
  lng: number | null
  radius_km: number | null
  /** None: of any type. */
  types: Task['type'][] | null
  min_pay_cents: number | null
}

/** What the feed would show this worker of the tasks that have come in since, and could be taken; the best first. */
export async function findNew(
  db: Db,
  {
    workerId,
    wish,
    since,
    limit,
    now,
  }: { workerId: string; wish: Wish; since: Date; limit: number; now: Date },
): Promise<Card[]> {
  const { lat, lng } = wish
  const sought = {
    lat,
    lng,
    radius_km: wish.radius_km ?? undefined,
    min_pay_cents: wish.min_pay_cents ?? undefined,
  }
  const known = await findSeeker(db, { workerId, sought, now })
  const types = wish.types === null ? known.types : wish.types.length === 0 ? null : wish.types
  const seeker = { ...known, types, levelShown: known.level }
  const rows = await newest(db, seeker, {
    from: mintId('task', since, 0),
    before: LAST_ID,
    limit: RANKED_MAX,
  })
  // The sort is stable: among equals the newer comes first.
  const ranked = rows
    .map((row) => ({ row, score: scoreOf(row, seeker) }))
    .sort((a, b) => b.score - a.score)
    .slice(0, limit)
  return showCards(
    db,
    ranked.map(({ row }) => row),
    seeker,
  )
}
