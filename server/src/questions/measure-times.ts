/**
 * Measure how long workers and agents waited for the answers of the last 30 days. Both see the median.
 *
 *   called by   the clock, every hour
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { readShards } from '../kit/everywhere.ts'
import { job } from '../kit/job.ts'

const MEASURED_MS = 30 * 86_400_000
/** Answers that are read from each shard: the median of more would hardly differ. */
const ANSWERS_MAX = 5000

export const measureTimes = job({
  name: 'questions.measure-times',
  payload: z.unknown(),
  attemptsMax: 3,
  schedule: '11 * * * *',
  isGlobal: true,

  async run({ db, clock }) {
    const now = clock.now()
    const after = new Date(now.getTime() - MEASURED_MS)
    const waits = (
      await readShards(db.shards.readers, (shard) => waitsOfShard(shard, after))
    ).flat()
    for (const asker of ['worker', 'agent'] as const) {
      const seconds = waits
        .filter(({ worker_id }) => (worker_id === '') === (asker === 'agent'))
        .map(({ waited_seconds }) => waited_seconds!)
        .sort((a, b) => a - b)
      const measured = {
        answers: seconds.length,
        median_seconds: seconds[Math.floor(seconds.length / 2)] ?? null,
        measured_at: now,
      }
      await db.shards.global.reader
        .insertInto('question_times')
        .values({ asker, ...measured })
        .onConflict((conflict) => conflict.column('asker').doUpdateSet(measured))
        .execute()
    }
  },
})

const waitsOfShard = (shard: Reader, after: Date) =>
  shard
    .selectFrom('question_messages')
    .select(['worker_id', 'waited_seconds'])
    .where('created_at', '>', after)
    .where('waited_seconds', 'is not', null)
    .orderBy('created_at', 'desc')
    .limit(ANSWERS_MAX)
    .execute()
