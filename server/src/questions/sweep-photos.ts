/**
 * Remove photos that no message has: leftovers of failed requests, and photos of removed questions and closed accounts.
 *
 *   called by   the clock, when `expires_at` of a photo has passed
 *   moves       a photo → (none)
 *   money       none
 *   event       none
 */
import { filesOf } from '../files/files.ts'
import { readyKey } from '../files/store.ts'
import { sweep } from '../kit/job.ts'

export const sweepPhotos = sweep({
  name: 'questions.sweep-photos',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('question_photos')
      .select('id')
      .where('expires_at', '<=', clock.now())
      .orderBy('expires_at')
      .limit(limit)
      .execute(),

  async move({ db, clock, config }, rows) {
    const { store } = filesOf(config)
    // Remove the bytes first: a row without bytes is found again, but bytes without a row never are.
    await Promise.all(rows.map(({ id }) => store.remove(readyKey(id))))
    const ids = rows.map(({ id }) => id)
    const { numDeletedRows } = await db.reader
      .deleteFrom('question_photos')
      .where('id', 'in', ids)
      .where('expires_at', '<=', clock.now())
      .executeTakeFirst()
    return Number(numDeletedRows)
  },
})
