/**
 * Close answered questions to which the asker has not written again in time.
 *
 *   called by   the clock, 14 days after the last answer
 *   moves       a question: answered → closed
 *   money       none
 *   event       none; the answer said so
 */
import type { Tx } from '../kit/db.ts'
import { sweep } from '../kit/job.ts'
import { closeLocked, lockAnyQuestion } from './questions.ts'

export const closeAnswered = sweep({
  name: 'questions.close-answered',

  due: ({ db, clock }, limit) =>
    db.reader
      .selectFrom('questions')
      .select('id')
      .where('status', '=', 'answered')
      .where('closes_at', '<=', clock.now())
      .orderBy('closes_at')
      .limit(limit)
      .execute(),

  // Each question gets its own transaction, so that one that fails doesn't stop the others.
  async move({ db, clock }, rows) {
    const now = clock.now()
    let closed = 0
    for (const { id } of rows)
      if (await db.transaction((tx) => closeDue(tx, { id, now }))) closed += 1
    return closed
  },
})

async function closeDue(tx: Tx, { id, now }: { id: string; now: Date }): Promise<boolean> {
  const question = await lockAnyQuestion(tx, id)
  const closesAt = question?.closes_at ?? null
  if (question === undefined || closesAt === null || closesAt > now) return false
  await closeLocked(tx, question, { endedFor: 'time_passed', now })
  return true
}
