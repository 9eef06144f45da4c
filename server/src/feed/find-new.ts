import type { Db } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import { type Card, showCards } from './card.ts'
import { LAST_ID, newest } from './rows.ts'
import { scoreOf } from './score.ts'
import { findSeeker, type Sought } from './seeker.ts'

/** Only this many of the newest tasks are ranked. */
const RANKED_MAX = 200

/** The new tasks that the feed would show this worker and that they could take; best match first. */
export async function findNew(
  db: Db,
  {
    workerId,
    sought,
    since,
    limit,
    now,
  }: { workerId: string; sought: Sought; since: Date; limit: number; now: Date },
): Promise<Card[]> {
  const known = await findSeeker(db, { workerId, sought, now })
  const seeker = { ...known, levelShown: known.level }
  const rows = await newest(db, seeker, {
    from: mintId('task', since, 0),
    before: LAST_ID,
    limit: RANKED_MAX,
  })
  // The sort is stable: among equal scores the newer task comes first.
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
