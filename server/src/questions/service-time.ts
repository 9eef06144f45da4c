/** How soon we answer: what we promise, and what the last 30 days were like. `measure-times.ts` measures it. */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import type { Asker } from './asker.ts'

/** Fewer answers than this say little about the next one. */
const ANSWERS_MIN = 20

export const ServiceTime = named(
  'QuestionServiceTime',
  z.object({
    promised_hours: z.int().describe('We answer within this time'),
    promised_safety_hours: z.int().describe('The same for questions about safety'),
    usual_hours: z
      .int()
      .nullable()
      .describe(
        'Half of the answers of the last 30 days came within this time; null: too few to say',
      ),
  }),
)

export async function readServiceTime(
  global: Reader,
  { kind }: Pick<Asker, 'kind'>,
  config: Pick<Config, 'QUESTION_HOURS' | 'QUESTION_SAFETY_HOURS'>,
): Promise<z.input<typeof ServiceTime>> {
  const measured = await global
    .selectFrom('question_times')
    .select(['answers', 'median_seconds'])
    .where('asker', '=', kind)
    .executeTakeFirst()
  const { answers = 0, median_seconds: seconds = null } = measured ?? {}
  const hours = seconds === null ? null : Math.max(1, Math.ceil(seconds / 3600))
  // A figure above the promise would only say that we break it.
  const isShown = hours !== null && answers >= ANSWERS_MIN && hours < config.QUESTION_HOURS
  return {
    promised_hours: config.QUESTION_HOURS,
    promised_safety_hours: config.QUESTION_SAFETY_HOURS,
    usual_hours: isShown ? hours : null,
  }
}
