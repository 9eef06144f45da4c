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
  abandoned: 'You released a task late, or your time ran out before you sent a proof.',
  late_proof: 'You sent your proof after all, so the points you lost for the delay were restored.',
  dispute_withdrawn: 'An agent withdrew its dispute, so the points you lost were restored.',
  dispute_overturned: 'A dispute was decided in your favor, so the points you lost were restored.',
  dispute_split: 'A dispute was decided half in your favor, so the points you lost were restored.',
}

const PENDING_NOTE =
  'An agent disputed your work. It does not count yet: you can appeal, or your appeal is being decided.'

const NEVER_COUNTS = [
  'Not taking a task',
  'Releasing a task within minutes, or because a place is not safe',
  'Being offline',
  'Giving a different answer than the other workers of a task',
]

const Outcome = z.object({
  trust_score: z.int(),
  standing_score: z.int().describe('Other pending disputes do not count'),
  level: z.int(),
})

const Pending = named(
  'PendingTrustChange',
  z.object({
    task_id: z.string(),
    title: z.string().describe('The task’s title, or the first sentence of its description'),
    dispute_id: z.string(),
    disputed_at: z.iso.datetime(),
    points: z.number().describe('Change of the score at that time'),
    appeal_status: z
      .enum(['none', 'open', 'answered'])
      .describe('`open`: the agent can reply to your appeal; `answered`: an operator is deciding'),
    can_appeal_until: z.iso
      .datetime()
      .nullable()
      .describe('From then on it counts toward your level; null once you have appealed'),
    if_upheld: Outcome.describe(
      'Your score and level if the dispute were upheld now, or if you do not appeal in time',
    ),
    if_overturned: Outcome.describe(
      'Your score and level if the dispute were overturned or withdrawn now: the work counts as approved',
    ),
  }),
)

export const getTrust = endpoint({
  method: 'GET',
  path: '/worker/trust',
  name: 'getTrust',
  auth: 'worker',
  summary: 'Show what changed your trust score',
  success: {
    status: 200,
    body: named(
      'Trust',
      z.object({
        trust_score: z.int().describe('Every dispute changes it immediately'),
        standing_score: z
          .int()
          .describe('The score without pending disputes; your level is based on it'),
        level: z.int(),
        pending: z
          .array(Pending)
          .describe(
            'Disputes that you can still appeal or have appealed; they do not count toward ' +
              'your level while pending. Newest first',
          ),
        next_level: z
          .object({
            level: z.int(),
            approved_needed: z.int().describe('Number of further tasks; 0 if you have enough'),
            trust_needed: z.int().describe('Number of further trust points'),
            identity_needed: z.boolean(),
          })
          .nullable()
          .describe('What you need for the next level; null at the top level'),
        changes: z
          .array(
            named(
              'TrustChange',
              z.object({
                at: z.iso.datetime(),
                cause: z.string(),
                task_id: z.string().nullable(),
                weight: z.number(),
                points: z.number().describe('Change of the score at that time'),
                pending: z
                  .boolean()
                  .describe('Whether it is a dispute that does not count yet; see `pending` above'),
                note: z.string(),
              }),
            ),
          )
          .describe(`From the last ${DAYS_SHOWN} days, newest first, at most ${CHANGES_MAX}`),
        levels: z
          .array(
            named(
              'TrustLevel',
              z.object({
                level: z.int(),
                approved: z.int().describe('Number of approved tasks required'),
                trust: z.int(),
                identity: z
                  .boolean()
                  .describe('Whether the processor must have verified your identity'),
              }),
            ),
          )
          .describe('Requirements of each level above the first, lowest first'),
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
    .select(['cause', 'good', 'bad', 'weight', 'task_id', 'created_at', 'pending_since'])
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
    changes: events.map(({ cause, task_id, weight, created_at, pending_since }, i) => ({
      at: created_at.toISOString(),
      cause,
      task_id,
      weight,
      points: points[i]!,
      pending: pending_since !== null,
      note:
        pending_since === null
          ? (NOTES[cause as Cause] ?? 'Your trust score was corrected.')
          : PENDING_NOTE,
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
      join worker_tasks t on t.id = e.task_id
     cross join lateral (
       select d.id, d.created_at from worker_disputes d
        where d.task_id = e.task_id and split_part(e.key, ':', 1) = any(d.assignment_ids) and d.touches_trust
        order by d.id desc limit 1) d
      left join lateral (
        select p.answered_at is not null as is_answered from worker_appeals p
         where p.task_id = e.task_id and p.dispute_id = d.id and p.worker_id = e.worker_id) p on true
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
