/**
 * Erase the original data inside photos: exact position, time, camera. It served the automatic checks when the proof
 * was sent, and their results stay.
 *
 *   called by   the clock, LOCATION_KEEP_DAYS after the file was begun
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { sweep } from '../kit/job.ts'

const DAY_MS = 86_400_000

export const forgetEvidence = sweep({
  name: 'files.forget-evidence',

  due: ({ db, clock, config }, limit) =>
    db.reader
      .selectFrom('files')
      .select('id')
      .where('evidence', 'is not', null)
      .where(
        'created_at',
        '<',
        new Date(clock.now().getTime() - config.LOCATION_KEEP_DAYS * DAY_MS),
      )
      .orderBy('created_at')
      .limit(limit)
      .execute(),

  async move({ db }, rows) {
    const { numAffectedRows = 0n } = await sql`
      update files set evidence = null
       where id = any(${rows.map(({ id }) => id)}) and evidence is not null`.execute(db.reader)
    return Number(numAffectedRows)
  },
})
