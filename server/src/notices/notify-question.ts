/**
 * Notify a worker that an operator has answered their question.
 *
 *   called by   the event question.answered
 *   moves       nothing
 *   money       none
 *   event       none; notice.mail (ours) if no device can be notified
 */
import { job } from '../kit/job.ts'
import { Work } from '../webhooks/record-event.ts'
import { tellWorker } from './tell.ts'

export const notifyQuestion = job({
  name: 'notices.notify-question',
  payload: Work,
  attemptsMax: 12,
  events: ['question.answered'],

  async run({ db, clock, config, payload }) {
    const message = await db.reader
      .selectFrom('question_messages')
      .innerJoin('questions', 'questions.id', 'question_messages.question_id')
      .select(['question_messages.id', 'questions.worker_id', 'questions.subject'])
      .select('question_messages.question_id')
      .where('question_messages.id', '=', payload.data.id)
      .where('questions.worker_id', '<>', '')
      .executeTakeFirst()
    // Agents get an email: agents/mail-about-answer.ts.
    if (message === undefined) return
    await db.transaction((tx) =>
      tellWorker(
        tx,
        {
          workerId: message.worker_id,
          kind: 'question_answered',
          cause: message.id,
          questionId: message.question_id,
          reason: message.subject,
        },
        { config, now: clock.now() },
      ),
    )
  },
})
