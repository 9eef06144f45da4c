/**
 * Close a question: the answer is enough, or the worker no longer needs one.
 *
 *   called by   the worker who asked it. Closing it again changes nothing
 *   moves       a question: open or answered → closed
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { questionNotFound } from './errors.ts'
import {
  closeLocked,
  lockQuestion,
  type Question,
  QuestionId,
  QuestionWithMessages,
  viewWithMessages,
} from './questions.ts'

export const close = endpoint({
  method: 'POST',
  path: '/worker/questions/:id/close',
  name: 'closeQuestion',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Close your question',
  params: z.object({ id: QuestionId }),
  success: { status: 200, body: z.object({ question: QuestionWithMessages }) },
  errors: [questionNotFound],

  async handler({ tx, worker, params, now }) {
    const question = await closeQuestion(tx, { id: params.id, workerId: worker.id, now })
    return { question: await viewWithMessages(tx, question) }
  },
})

async function closeQuestion(
  tx: Tx,
  { id, workerId, now }: { id: string; workerId: string; now: Date },
): Promise<Question> {
  const question = await lockQuestion(tx, { id, workerId })
  if (question === undefined) throw questionNotFound()
  if (question.status === 'closed') return question
  return closeLocked(tx, question, { endedFor: 'worker', now })
}
