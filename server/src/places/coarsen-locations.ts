/**
 * Replace the exact location of a proof by its region. The automatic checks have compared the exact one with the place
 * of the task when the proof was sent, and their results stay.
 *
 *   called by   the clock, LOCATION_KEEP_DAYS after the proof was sent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { sweep } from '../kit/job.ts'

const DAY_MS = 86_400_000

export const coarsenLocations = sweep({
  name: 'places.coarsen-locations',

  due: ({ db, clock, config }, limit) =>
    db.reader
      .selectFrom('proofs')
      .select('id')
      .where('location', 'is not', null)
      .where(
        'submitted_at',
        '<',
        new Date(clock.now().getTime() - config.LOCATION_KEEP_DAYS * DAY_MS),
      )
      .orderBy('submitted_at')
      .limit(limit)
      .execute(),

  async move({ db }, rows) {
    const { numAffectedRows = 0n } = await sql`
      update proofs set area = places_region_of(location), location = null
       where id = any(${rows.map(({ id }) => id)}) and location is not null`.execute(db.reader)
    return Number(numAffectedRows)
  },
})
