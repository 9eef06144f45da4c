/**
 * Show a question with its messages.
 *
 *   called by   the worker who asked it
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { endpoint } from '../kit/endpoint.ts'
import { questionNotFound } from './errors.ts'
import { findQuestion, QuestionId, QuestionWithMessages, viewWithMessages } from './questions.ts'

export const get = endpoint({
  method: 'GET',
  path: '/worker/questions/:id',
  name: 'getQuestion',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Show a question with its messages',
  params: z.object({ id: QuestionId }),
  success: { status: 200, body: z.object({ question: QuestionWithMessages }) },
  errors: [questionNotFound],

  async handler({ db, worker, params, config, now }) {
    const asker = { kind: 'worker', id: worker.id } as const
    const question = await findQuestion(db, { id: params.id, asker })
    if (question === undefined) throw questionNotFound()
    return { question: await viewWithMessages<'worker'>(db, question, { config, now }) }
  },
})
