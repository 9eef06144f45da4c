/**
 * Show a question with its messages, and texts to begin an answer with.
 *
 *   called by   an operator with the right `view`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { LANGUAGES } from '../email/languages.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'
import { questionNotFound } from '../questions/errors.ts'
import { QuestionId } from '../questions/questions.ts'
import { threadOf } from '../questions/thread.ts'
import { answerTemplates, CLOSE_REASONS, closingText } from './answer-templates.ts'

export const DeskMessage = named(
  'DeskMessage',
  z.object({
    number: z.int(),
    author: z.enum(['worker', 'agent', 'operator']),
    name: z.string().nullable().describe('The operator who answered'),
    text: z.string(),
    at: z.iso.datetime(),
    attachments: z.array(z.object({ n: z.int(), kind: z.literal('photo') })),
  }),
)

const AnswerTemplate = named(
  'AnswerTemplate',
  z.object({ id: z.string(), title: z.string(), text: z.string(), language: z.enum(LANGUAGES) }),
)

export const showQuestion = deskOperation({
  method: 'GET',
  path: '/questions/:id',
  name: 'showQuestion',
  right: 'view',
  summary: 'Show a question with its messages',
  params: z.object({ id: QuestionId }),
  success: {
    status: 200,
    body: z.object({
      question: z.object({
        id: z.string(),
        subject: z.string(),
        status: z.enum(['open', 'answered', 'closed']),
        asker: z.object({ kind: z.enum(['worker', 'agent']), id: z.string() }),
        language: z.enum(LANGUAGES),
        task_id: z.string().nullable(),
        due_at: z.iso.datetime().nullable(),
        closes_at: z.iso.datetime().nullable(),
        messages: z.array(DeskMessage),
      }),
      templates: z.array(AnswerTemplate),
      closings: z.array(z.object({ reason: z.enum(CLOSE_REASONS), text: z.string() })),
    }),
  },
  errors: [questionNotFound],

  async handler({ background, params }) {
    const thread = await threadOf(background, params.id)
    if (thread === undefined) throw questionNotFound()
    const { question, asker, language, messages } = thread
    const { id, subject, status, task_id, due_at, closes_at } = question
    return {
      question: {
        id,
        subject,
        status,
        asker,
        language,
        task_id,
        due_at: due_at?.toISOString() ?? null,
        closes_at: closes_at?.toISOString() ?? null,
        messages: messages.map(({ at, ...message }) => ({ ...message, at: at.toISOString() })),
      },
      templates: status === 'closed' ? [] : answerTemplates(thread),
      closings: CLOSE_REASONS.map((reason) => ({ reason, text: closingText(reason, thread) })),
    }
  },
})
