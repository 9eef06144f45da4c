/**
 * Add a message to a question. After an answer, it needs another one.
 *
 *   called by   the worker who asked it. The same text twice in a row is one message
 *   moves       a question: answered → open, with a new deadline; an open one keeps its deadline
 *   money       none
 *   event       none; operators see it in `ops waiting`
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { questionClosed, questionFull, questionNotFound } from './errors.ts'
import {
  addMessage,
  dueAt,
  lockQuestion,
  MESSAGES_MAX,
  MessageText,
  messagesOf,
  type Question,
  QuestionId,
  QuestionWithMessages,
  updateQuestion,
  viewWithMessages,
} from './questions.ts'

export const reply = endpoint({
  method: 'POST',
  path: '/worker/questions/:id/replies',
  name: 'replyToQuestion',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Add a message to your question',
  description: 'After an answer, the question is open again. A closed question takes no messages.',
  params: z.object({ id: QuestionId }),
  body: z.object({ text: MessageText }),
  success: { status: 201, body: z.object({ question: QuestionWithMessages }) },
  errors: [questionNotFound, questionClosed, questionFull],

  async handler({ tx, worker, params, body, config, now }) {
    const about = { id: params.id, workerId: worker.id, text: body.text }
    const question = await replyToQuestion(tx, { ...about, config, now })
    return { question: await viewWithMessages(tx, question) }
  },
})

interface ReplyToQuestion {
  id: string
  workerId: string
  text: string
  config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>
  now: Date
}

async function replyToQuestion(
  tx: Tx,
  { id, workerId, text, config, now }: ReplyToQuestion,
): Promise<Question> {
  const question = await lockQuestion(tx, { id, workerId })
  if (question === undefined) throw questionNotFound()
  if (question.status === 'closed') throw questionClosed()
  const last = (await messagesOf(tx, question)).at(-1)!
  if (last.author === 'worker' && last.text === text) return question
  if (question.message_count >= MESSAGES_MAX.worker) throw questionFull()

  const number = question.message_count + 1
  await addMessage(tx, question, { number, text, now })
  if (question.status === 'open') return updateQuestion(tx, question, { message_count: number })
  return updateQuestion(tx, question, {
    status: 'open',
    message_count: number,
    waits_since: now,
    due_at: dueAt(question.subject, { config, now }),
    closes_at: null,
  })
}
