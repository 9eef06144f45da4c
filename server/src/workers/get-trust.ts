/**
 * Show the worker why their trust is what it is, and what leads to the next level.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { callingWorker } from './queries.ts'
import {
  type Cause,
  LEVELS,
  levelOf,
  nextLevel,
  pointsOf,
  type TakenBack,
  trustScore,
} from './trust.ts'

const DAYS_SHOWN = 90
const CHANGES_MAX = 100

const NOTES: Record<Cause | TakenBack, string> = {
  approved: 'Your work was approved.',
  disputed: 'An agent disputed your work.',
  abandoned: 'You handed a task back late, or its time ran out before your proof came.',
  late_proof: 'Your proof came after all: what the delay had cost you is given back.',
  dispute_withdrawn: 'An agent withdrew its dispute: what it had cost you is given back.',
  dispute_overturned: 'A dispute was decided in your favour: what it had cost you is given back.',
  dispute_split: 'A dispute was decided half in your favour: what it had cost you is given back.',
}

const NEVER_COUNTS = [
  'Not taking a task',
  'Handing a task back within minutes, or because a place is not safe',
  'Being offline',
  'Answering otherwise than the other workers of a task',
]

export const getTrust = endpoint({
  method: 'GET',
  path: '/worker/trust',
  auth: 'worker',
  summary: 'Show what moved your trust',
  success: {
    status: 200,
    body: z.object({
      trust_score: z.int(),
      level: z.int(),
      next_level: z
        .object({
          level: z.int(),
          approved_needed: z.int().describe('How many more tasks; 0 when there are enough'),
          trust_needed: z.int().describe('How many more points of trust'),
          identity_needed: z.boolean(),
        })
        .nullable()
        .describe('What is missing to the next level; null at the top'),
      changes: z
        .array(
          z.object({
            at: z.iso.datetime(),
            cause: z.string(),
            task_id: z.string().nullable(),
            weight: z.number(),
            points: z.number().describe('By how much it moved the score at that time'),
            note: z.string(),
          }),
        )
        .describe(`Of the last ${DAYS_SHOWN} days, newest first, ${CHANGES_MAX} at most`),
      levels: z
        .array(
          z.object({
            level: z.int(),
            approved: z.int().describe('How many approved tasks it takes'),
            trust: z.int(),
            identity: z.boolean().describe('Whether the processor must know who you are'),
          }),
        )
        .describe('What each level above the first takes, the lowest first'),
      never_counts: z.array(z.string()),
    }),
  },
  errors: [],

  // Two reads of one moment: points are counted back from the sums of the one along the rows of the other.
  handler: ({ db, worker, now }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => trustOf(tx, { workerId: worker.id, now })),
})

async function trustOf(db: Reader, { workerId, now }: { workerId: string; now: Date }) {
  const worker = await callingWorker(db, workerId)
  const events = await db
    .selectFrom('trust_events')
    .select(['cause', 'good', 'bad', 'weight', 'task_id', 'created_at'])
    .where('worker_id', '=', workerId)
    .where('created_at', '>', new Date(now.getTime() - DAYS_SHOWN * 86_400_000))
    .orderBy('created_at', 'desc')
    .orderBy('key', 'desc')
    .limit(CHANGES_MAX)
    .execute()
  const points = pointsOf(worker, events)

  return {
    trust_score: trustScore(worker, now),
    level: levelOf(worker, now),
    next_level: nextLevel(worker, now),
    changes: events.map(({ cause, task_id, weight, created_at }, i) => ({
      at: created_at.toISOString(),
      cause,
      task_id,
      weight,
      points: points[i]!,
      note: NOTES[cause as Cause] ?? 'Your trust was corrected.',
    })),
    levels: LEVELS.toReversed(),
    never_counts: NEVER_COUNTS,
  }
}
