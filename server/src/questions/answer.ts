/**
 * Answer a question of a worker or an agent, and optionally close it.
 *
 *   called by   an operator
 *   moves       a question: open or answered → answered, or → closed
 *   money       none
 *   event       question.answered (ours): notifies the worker, emails the agent
 */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { requestWork } from '../webhooks/record-event.ts'
import type { Refused } from '../workers/decisions.ts'
import type { Question } from './asker.ts'
import {
  addMessage,
  closeLocked,
  lockAnyQuestion,
  MESSAGES_MAX,
  updateQuestion,
} from './questions.ts'

interface AnswerQuestion {
  id: string
  /** Shown to the asker. */
  text: string
  /** The asker can't write again, only ask a new question. */
  closes: boolean
  operator: string
  config: Pick<Config, 'QUESTION_CLOSE_DAYS'>
  now: Date
}

const DAY_MS = 86_400_000

export async function answerQuestion(
  tx: Tx,
  { id, text, closes, operator, config, now }: AnswerQuestion,
): Promise<Question | Refused> {
  const question = await lockAnyQuestion(tx, id)
  if (question === undefined) return { refusal: `There is no question ${id}` }
  if (question.status === 'closed') return { refusal: `${id} is closed` }
  if (question.message_count >= MESSAGES_MAX.operator)
    return { refusal: `${id} has ${MESSAGES_MAX.operator} messages, which is the maximum` }

  const number = question.message_count + 1
  const answer = { operator, waitsSince: question.waits_since }
  const messageId = await addMessage(tx, question, { number, text, answer, now })
  await requestWork(tx, [{ type: 'question.answered', id: messageId }], { now })
  const answered = await updateQuestion(tx, question, {
    status: 'answered',
    message_count: number,
    waits_since: null,
    due_at: null,
    closes_at: new Date(now.getTime() + config.QUESTION_CLOSE_DAYS * DAY_MS),
  })
  return closes ? closeLocked(tx, answered, { endedFor: 'operator', now }) : answered
}
