/**
 * Close a question: the answer is enough, or the asker no longer needs one.
 *
 *   called by   the worker who asked it, and an agent through close-as-agent.ts. Closing it again changes nothing
 *   moves       a question: open or answered → closed
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import type { Asker, Question } from './asker.ts'
import { questionNotFound } from './errors.ts'
import {
  closeLocked,
  lockQuestion,
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

  async handler({ tx, worker, params, config, now }) {
    const asker = { kind: 'worker', id: worker.id } as const
    const question = await closeQuestion(tx, { id: params.id, asker, now })
    return { question: await viewWithMessages<'worker'>(tx, question, { config, now }) }
  },
})

export async function closeQuestion(
  tx: Tx,
  { id, asker, now }: { id: string; asker: Asker; now: Date },
): Promise<Question> {
  const question = await lockQuestion(tx, { id, asker })
  if (question === undefined) throw questionNotFound()
  if (question.status === 'closed') return question
  return closeLocked(tx, question, { endedFor: asker.kind, now })
}
