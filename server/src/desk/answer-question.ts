/**
 * Answer a question of a worker or an agent at the desk, and optionally close it.
 *
 *   called by   an operator with the right `answer`
 *   moves       see questions/answer.ts
 *   money       none
 *   event       question.answered (ours): notifies the worker, emails the agent
 */
import { z } from 'zod'
import { type DeskGiven, deskOperation, type OperatorCaller } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'
import { appendAudit } from '../operators/audit.ts'
import { answerQuestion as answer } from '../questions/answer.ts'
import { questionClosed, questionFull, questionNotFound } from '../questions/errors.ts'
import { QuestionId, TEXT_MAX } from '../questions/questions.ts'

export const AnsweredQuestion = named(
  'AnsweredQuestion',
  z.object({
    id: z.string(),
    status: z.enum(['answered', 'closed']),
    closes_at: z.iso.datetime().nullable(),
  }),
)

export const answerQuestion = deskOperation({
  method: 'POST',
  path: '/questions/:id/answer',
  name: 'answerQuestion',
  right: 'answer',
  summary: 'Answer a question of a worker or an agent',
  params: z.object({ id: QuestionId }),
  body: z.object({
    text: z.string().trim().min(1).max(TEXT_MAX),
    closes: z.boolean().default(false),
  }),
  success: { status: 200, body: z.object({ question: AnsweredQuestion }) },
  errors: [questionNotFound, questionClosed, questionFull],

  async handler({ params, body, ...given }) {
    const action = body.closes ? 'question.close' : 'question.answer'
    return { question: await writeAnswer(given, { id: params.id, ...body, action }) }
  },
})

/** Writes the answer in the question's schema, and then the audit log, which is global. */
export async function writeAnswer(
  {
    background,
    operator,
    now,
  }: Pick<DeskGiven, 'background' | 'now'> & { operator: OperatorCaller },
  {
    id,
    text,
    closes,
    action,
    detail = {},
  }: {
    id: string
    text: string
    closes: boolean
    action: 'question.answer' | 'question.close'
    detail?: Record<string, unknown>
  },
): Promise<z.input<typeof AnsweredQuestion>> {
  const { db, config } = background
  const written = await db.shards.at(id).transaction(async (tx) => {
    const known = await tx
      .selectFrom('questions')
      .select('status')
      .where('id', '=', id)
      .forNoKeyUpdate()
      .executeTakeFirst()
    if (known === undefined) throw questionNotFound()
    if (known.status === 'closed') throw questionClosed()
    return answer(tx, { id, text, closes, operator: operator.id, config, now })
  })
  if ('refusal' in written) throw questionFull()
  await db.shards.global.transaction((tx) =>
    appendAudit(
      tx,
      {
        operator,
        action,
        subject: id,
        detail: { number: written.message_count, ...detail },
        words: text,
      },
      { now },
    ),
  )
  return {
    id,
    status: written.status === 'closed' ? 'closed' : 'answered',
    closes_at: written.closes_at?.toISOString() ?? null,
  }
}
