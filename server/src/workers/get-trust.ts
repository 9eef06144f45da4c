/**
 * Explain the worker's trust score, and what leads to the next level.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { titleOf } from '../kit/words.ts'
import { windowCloses } from './appeal-window.ts'
import { callingWorker, type Worker } from './queries.ts'
import {
  type Cause,
  LEVELS,
  levelOf,
  nextLevel,
  outcomesOf,
  pointsOf,
  standingScore,
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

const Outcome = z.object({ trust_score: z.int(), level: z.int() })

const Pending = named(
  'PendingTrustChange',
  z.object({
    task_id: z.string(),
    title: z.string().describe('The task’s title, or the first sentence of its description'),
    dispute_id: z.string(),
    disputed_at: z.iso.datetime(),
    points: z.number().describe('By how much it moved the score at that time'),
    appeal_status: z
      .enum(['none', 'open', 'answered'])
      .describe('`open`: the agent can reply to your appeal; `answered`: an operator decides'),
    can_appeal_until: z.iso
      .datetime()
      .nullable()
      .describe('After that it counts in your level; null once you have appealed'),
    if_upheld: Outcome.describe(
      'Your score and level if it were upheld now, or if you do not appeal in time',
    ),
    if_overturned: Outcome.describe(
      'Your score and level if it were overturned or withdrawn now: the work counts as approved',
    ),
  }),
)

export const getTrust = endpoint({
  method: 'GET',
  path: '/worker/trust',
  name: 'getTrust',
  auth: 'worker',
  summary: 'Show what moved your trust',
  success: {
    status: 200,
    body: named(
      'Trust',
      z.object({
        trust_score: z.int().describe('Every dispute moves it at once'),
        standing_score: z
          .int()
          .describe('The score without pending disputes, which your level is computed from'),
        level: z.int(),
        pending: z
          .array(Pending)
          .describe(
            'Disputes that you can still appeal, or have appealed: while they are pending they do not count in your ' +
              'level. Newest first',
          ),
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
            named(
              'TrustChange',
              z.object({
                at: z.iso.datetime(),
                cause: z.string(),
                task_id: z.string().nullable(),
                weight: z.number(),
                points: z.number().describe('By how much it moved the score at that time'),
                note: z.string(),
              }),
            ),
          )
          .describe(`Of the last ${DAYS_SHOWN} days, newest first, ${CHANGES_MAX} at most`),
        levels: z
          .array(
            named(
              'TrustLevel',
              z.object({
                level: z.int(),
                approved: z.int().describe('How many approved tasks it takes'),
                trust: z.int(),
                identity: z.boolean().describe('Whether the processor must know who you are'),
              }),
            ),
          )
          .describe('What each level above the first takes, the lowest first'),
        never_counts: z.array(z.string()),
      }),
    ),
  },
  errors: [],

  // One snapshot for both reads: points are computed by walking back from the sums through the event rows.
  handler: ({ db, worker, config, now }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => trustOf(tx, { workerId: worker.id, config, now })),
})

interface At {
  config: Pick<Config, 'APPEAL_HOURS'>
  now: Date
}

async function trustOf(db: Reader, { workerId, config, now }: At & { workerId: string }) {
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
    standing_score: standingScore(worker, now),
    level: levelOf(worker, now),
    pending: await pendingOf(db, worker, { config, now }),
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

interface PendingRow {
  key: string
  task_id: string
  title: string | null
  description: string
  dispute_id: string
  disputed_at: Date
  bad: number
  created_at: Date
  pending_since: Date
  is_appealed: boolean
  is_answered: boolean | null
}

async function pendingOf(
  db: Reader,
  worker: Worker,
  { config, now }: At,
): Promise<z.output<typeof Pending>[]> {
  const { rows } = await sql<PendingRow>`
    select e.key, e.task_id, t.title, t.description, d.id as dispute_id, d.created_at as disputed_at, e.bad,
           e.created_at, e.pending_since, e.is_appealed, p.is_answered
      from trust_events e
      join tasks t on t.id = e.task_id
     cross join lateral (
       select d.id, d.created_at from disputes d
        where d.task_id = e.task_id and split_part(e.key, ':', 1) = any(d.assignment_ids) and d.touches_trust
        order by d.id desc limit 1) d
      left join lateral (
        select p.answered_at is not null as is_answered from appeals p
         where p.dispute_id = d.id and p.worker_id = e.worker_id) p on true
     where e.worker_id = ${worker.id} and e.pending_since is not null
     order by e.created_at desc, e.key desc`.execute(db)
  const oldest = rows.at(-1)
  if (oldest === undefined) return []

  // Points are computed by walking back from the current sums, so no event in between may be missing.
  const since = await db
    .selectFrom('trust_events')
    .select(['key', 'good', 'bad', 'created_at'])
    .where('worker_id', '=', worker.id)
    .where('created_at', '>=', oldest.created_at)
    .orderBy('created_at', 'desc')
    .orderBy('key', 'desc')
    .execute()
  const points = new Map(pointsOf(worker, since).map((moved, i) => [since[i]!.key, moved]))
  return rows.map((row) => ({
    task_id: row.task_id,
    title: row.title ?? titleOf(row.description),
    dispute_id: row.dispute_id,
    disputed_at: row.disputed_at.toISOString(),
    points: points.get(row.key)!,
    appeal_status: !row.is_appealed ? 'none' : row.is_answered ? 'answered' : 'open',
    can_appeal_until: row.is_appealed
      ? null
      : windowCloses(row.pending_since, config).toISOString(),
    ...outcomesOf(worker, row, now),
  }))
}
