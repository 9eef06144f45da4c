/**
 * Add a message to a question. After an answer, it needs another one.
 *
 *   called by   the worker who asked it, and an agent through reply-as-agent.ts. The same text twice in a row is one
 *               message, unless the second has photos
 *   moves       a question: answered → open, with a new deadline; an open one keeps its deadline
 *   money       none
 *   event       none; operators see it in `ops waiting` and at the desk
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import { tooManyFiles } from '../files/errors.ts'
import type { Reader, Tx } from '../kit/db.ts'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import type { Asker, Question } from './asker.ts'
import { questionClosed, questionFull, questionNotFound } from './errors.ts'
import { Photos, PHOTOS_BODY_MAX_BYTES, takePhotos } from './photos.ts'
import {
  addMessage,
  dueAt,
  findQuestion,
  lockQuestion,
  MESSAGES_MAX,
  MessageText,
  messagesOf,
  QuestionId,
  QuestionWithMessages,
  updateQuestion,
  viewWithMessages,
} from './questions.ts'

export const Reply = z.object({ text: MessageText, photos: Photos })

export const reply = endpoint({
  method: 'POST',
  path: '/worker/questions/:id/replies',
  name: 'replyToQuestion',
  auth: 'worker',
  access: { object: 'own' },
  summary: 'Add a message to your question',
  description: 'After an answer, the question is open again. A closed question takes no messages.',
  params: z.object({ id: QuestionId }),
  body: Reply,
  bodyMaxBytes: PHOTOS_BODY_MAX_BYTES,
  beforeBody: ({ db, params, worker }) =>
    assertTakesMessages(db, { id: params.id, asker: { kind: 'worker', id: worker.id } }),
  success: { status: 201, body: z.object({ question: QuestionWithMessages }) },
  errors: [questionNotFound, questionClosed, questionFull, tooManyFiles],

  transaction: 'own',
  async handler({ db, worker, params, body, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const asker = { kind: 'worker', id: worker.id } as const
    const { photos, text } = body
    const photoIds = await takePhotos(db.reader, { asker, photos, config, now })
    return once(async (tx) => {
      const about = { id: params.id, asker, text, photoIds }
      const question = await replyToQuestion(tx, { ...about, config, now })
      const shown = await viewWithMessages<'worker'>(tx, question, { config, now })
      return answerWith(201, { question: shown }, warnings)
    })
  },
})

interface ReplyToQuestion {
  id: string
  asker: Asker
  text: string
  photoIds: string[]
  config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>
  now: Date
}

export async function assertTakesMessages(
  db: Reader,
  about: { id: string; asker: Asker },
): Promise<void> {
  const question = await findQuestion(db, about)
  if (question === undefined) throw questionNotFound()
  if (question.status === 'closed') throw questionClosed()
}

export async function replyToQuestion(
  tx: Tx,
  { id, asker, text, photoIds, config, now }: ReplyToQuestion,
): Promise<Question> {
  const question = await lockQuestion(tx, { id, asker })
  if (question === undefined) throw questionNotFound()
  if (question.status === 'closed') throw questionClosed()
  const last = (await messagesOf(tx, question)).at(-1)!
  // Photos may differ, so only the idempotency key tells that a message with photos is a repetition.
  if (photoIds.length === 0 && last.author === asker.kind && last.text === text) return question
  if (question.message_count >= MESSAGES_MAX.asker) throw questionFull()

  const number = question.message_count + 1
  await addMessage(tx, question, { number, text, photoIds, now })
  if (question.status === 'open') return updateQuestion(tx, question, { message_count: number })
  return updateQuestion(tx, question, {
    status: 'open',
    message_count: number,
    waits_since: now,
    due_at: dueAt(question.subject, { config, now }),
    closes_at: null,
  })
}
