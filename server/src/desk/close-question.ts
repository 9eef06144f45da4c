/**
 * Close a question without an answer. The asker gets the reason as the last message, in their language.
 *
 *   called by   an operator with the right `answer`
 *   moves       a question: open or answered → closed
 *   money       none
 *   event       question.answered (ours): notifies the worker, emails the agent
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { questionClosed, questionFull, questionNotFound } from '../questions/errors.ts'
import { QuestionId } from '../questions/questions.ts'
import { threadOf } from '../questions/thread.ts'
import { AnsweredQuestion, writeAnswer } from './answer-question.ts'
import { CLOSE_REASONS, closingText } from './answer-templates.ts'

export const closeQuestion = deskOperation({
  method: 'POST',
  path: '/questions/:id/close',
  name: 'closeQuestion',
  right: 'answer',
  summary: 'Close a question with a reason',
  params: z.object({ id: QuestionId }),
  body: z.object({ reason: z.enum(CLOSE_REASONS) }),
  success: { status: 200, body: z.object({ question: AnsweredQuestion }) },
  errors: [questionNotFound, questionClosed, questionFull],

  async handler({ params, body: { reason }, ...given }) {
    const thread = await threadOf(given.background, params.id)
    if (thread === undefined) throw questionNotFound()
    const text = closingText(reason, thread)
    const about = { id: params.id, text, closes: true, detail: { reason } }
    return { question: await writeAnswer(given, { ...about, action: 'question.close' }) }
  },
})
