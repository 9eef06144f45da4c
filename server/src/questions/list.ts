/**
 * List the worker's questions, newest first.
 *
 *   called by   a worker, and an agent through list-as-agent.ts
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { limitOr } from '../kit/page.ts'
import { type Asker, columnOf } from './asker.ts'
import { QuestionId, QuestionView, viewQuestion } from './questions.ts'
import { readServiceTime, ServiceTime } from './service-time.ts'

export const QuestionsQuery = z.object({
  limit: limitOr(20).describe('1 to 100; larger values are treated as 100'),
  cursor: QuestionId.optional().describe('next_cursor of the previous page'),
})

export const listQuestions = endpoint({
  method: 'GET',
  path: '/worker/questions',
  name: 'listQuestions',
  auth: 'worker',
  summary: 'List your questions',
  query: QuestionsQuery,
  success: {
    status: 200,
    body: z.object({
      questions: z.array(QuestionView),
      next_cursor: z.string().nullable(),
      service_time: ServiceTime,
    }),
  },
  errors: [],

  async handler({ db, shards, worker, query, config }) {
    const asker = { kind: 'worker', id: worker.id } as const
    const page = await readQuestions<'worker'>(db, { asker, ...query })
    return { ...page, service_time: await readServiceTime(shards.global.reader, asker, config) }
  },
})

/** A page of an asker's questions, newest first. */
export async function readQuestions<A extends Asker['kind']>(
  db: Reader,
  { asker, limit, cursor }: { asker: Asker } & z.output<typeof QuestionsQuery>,
) {
  let mine = db.selectFrom('questions').selectAll().where(columnOf(asker), '=', asker.id)
  if (cursor !== undefined) mine = mine.where('id', '<', cursor)
  // Fetch one extra row to tell whether there is more.
  const rows = await mine
    .orderBy('id', 'desc')
    .limit(limit + 1)
    .execute()
  const page = rows.slice(0, limit)
  const firsts = await firstTexts(db, { asker, ids: page.map(({ id }) => id) })
  return {
    questions: page.map((question) => viewQuestion<A>(question, firsts.get(question.id)!)),
    next_cursor: rows.length > limit ? page.at(-1)!.id : null,
  }
}

/** The first message of each question, by the question's id. */
async function firstTexts(
  db: Reader,
  { asker, ids }: { asker: Asker; ids: string[] },
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const messages = await db
    .selectFrom('question_messages')
    .select(['question_id', 'text'])
    .where(columnOf(asker), '=', asker.id)
    .where('question_id', '=', sql<string>`any(${ids})`)
    .where('number', '=', 1)
    .execute()
  return new Map(messages.map(({ question_id, text }) => [question_id, text]))
}
