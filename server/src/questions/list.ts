/**
 * List the worker's questions, newest first.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { limitOr } from '../kit/page.ts'
import { QuestionId, QuestionView, viewQuestion } from './questions.ts'

export const listQuestions = endpoint({
  method: 'GET',
  path: '/worker/questions',
  name: 'listQuestions',
  auth: 'worker',
  summary: 'List your questions',
  query: z.object({
    limit: limitOr(20).describe('1 to 100; larger values are treated as 100'),
    cursor: QuestionId.optional().describe('next_cursor of the previous page'),
  }),
  success: {
    status: 200,
    body: z.object({ questions: z.array(QuestionView), next_cursor: z.string().nullable() }),
  },
  errors: [],

  async handler({ db, worker, query: { limit, cursor } }) {
    let mine = db.selectFrom('questions').selectAll().where('worker_id', '=', worker.id)
    if (cursor !== undefined) mine = mine.where('id', '<', cursor)
    // Fetch one extra row to tell whether there is more.
    const rows = await mine
      .orderBy('id', 'desc')
      .limit(limit + 1)
      .execute()
    const page = rows.slice(0, limit)
    const firsts = await firstTexts(db, { workerId: worker.id, ids: page.map(({ id }) => id) })
    return {
      questions: page.map((question) => viewQuestion(question, firsts.get(question.id)!)),
      next_cursor: rows.length > limit ? page.at(-1)!.id : null,
    }
  },
})

/** The first message of each question, by the question's id. */
async function firstTexts(
  db: Reader,
  { workerId, ids }: { workerId: string; ids: string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const messages = await db
    .selectFrom('question_messages')
    .select(['question_id', 'text'])
    .where('worker_id', '=', workerId)
    .where('question_id', '=', sql<string>`any(${ids})`)
    .where('number', '=', 1)
    .execute()
  return new Map(messages.map(({ question_id, text }) => [question_id, text]))
}
