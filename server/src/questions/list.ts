/**
 * List the worker's questions, newest first.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
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
    return {
      questions: page.map(viewQuestion),
      next_cursor: rows.length > limit ? page.at(-1)!.id : null,
    }
  },
})
