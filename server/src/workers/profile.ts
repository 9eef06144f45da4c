import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { idPattern } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { RATE_CASES_MIN, rateOf, typicalOf } from '../kit/rate.ts'
import type { Schema } from '../kit/schema.ts'
import { closedIfOpenedBy } from './appeal-window.ts'
import { BADGES, badgesOf, type Judged } from './badges.ts'
import { Notify } from './notify.ts'
import type { Worker } from './queries.ts'
import { levelOf, standingScore, trustScore } from './trust.ts'
import { AppLanguage } from './view.ts'

/** Statistics and badges use at most this many of the newest judged tasks. */
const JUDGED_MAX = 300

export const RADIUS_KM = { default: 10, min: 1, max: 200 }

/** Where a worker works. A place that can't be geocoded has no coordinates, so distance is ignored. */
export interface Location {
  label: string
  lat?: number
  lng?: number
  radius_km: number
}

// Duplicated to avoid an import cycle: the folder with the tasks' own list imports this one.
const TASK_TYPES = [
  'verification',
  'voice_proxy',
  'gut_check',
  'field_mission',
  'empathy_escalation',
  'vibe_reader',
  'custom',
] as const satisfies Schema['tasks']['type'][]

/** The preferences that the server knows; an app may store others next to them. */
export const WISHES = {
  types: z.array(z.enum(TASK_TYPES)).max(TASK_TYPES.length),
  min_pay_cents: z.int().min(0).max(1_000_000),
  notify: Notify,
  muted_agents: z
    .array(z.string().regex(idPattern('agent'), 'must be the id of an agent'))
    .max(300),
  leaderboard: z.boolean().describe('false: you do not appear on the leaderboard'),
}

/** The state of a worker's account at the payment processor; `not_connected` means that there is none. */
const PAYOUT_STATUSES = [
  'not_connected',
  'onboarding',
  'pending_verification',
  'active',
  'restricted',
  'rejected',
  'closed',
] as const
export const PayoutStatus = named('PayoutStatus', z.enum(PAYOUT_STATUSES))
export type PayoutStatus = z.output<typeof PayoutStatus>

export const Standing = z.object({
  trust_score: z.int().min(0).max(100),
  standing_score: z
    .int()
    .min(0)
    .max(100)
    .describe('The score without disputes that can be or have been appealed'),
  level: z
    .int()
    .min(1)
    .max(5)
    .describe(
      'Computed without disputes that can be or have been appealed; `trust_score` includes them',
    ),
  badges: z.array(z.enum(BADGES)),
})

export const ProfileView = named(
  'WorkerProfile',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    skills: z.array(z.string()),
    languages: z.array(z.string()).describe('The languages that you speak'),
    app_language: AppLanguage.describe('The language of the app and of our emails'),
    location: z
      .object({
        label: z.string(),
        lat: z.number().nullable().describe('null for an unknown place'),
        lng: z.number().nullable(),
        radius_km: z.number(),
      })
      .nullable(),
    preferences: named('WorkerPreferences', z.looseObject(WISHES).partial()),
    ...Standing.shape,
    stats: z.object({
      completed: z.int(),
      disputed: z
        .int()
        .describe(
          `Out of your last ${JUDGED_MAX} tasks with a verdict, like the next three fields`,
        ),
      verdicts: z.int().describe('Approved or disputed'),
      approval_rate: z
        .number()
        .nullable()
        .describe(`0 to 1; null before ${RATE_CASES_MIN} verdicts`),
      avg_minutes: z
        .number()
        .nullable()
        .describe(
          'Based on the time from accepting to submitting; ' +
            `null before ${RATE_CASES_MIN} approved tasks`,
        ),
    }),
    payout_status: PayoutStatus,
    closes_at: z.iso
      .datetime()
      .nullable()
      .describe('Your account is being closed, from then on; `DELETE /worker/close` keeps it'),
    created_at: z.iso.datetime(),
  }),
)
export type ProfileView = z.output<typeof ProfileView>

/** The worker's most recently judged tasks, newest first. */
export function judgedOf(
  db: Reader,
  workerId: string,
  { config, now }: { config: Pick<Config, 'APPEAL_HOURS'>; now: Date },
): Promise<Judged[]> {
  // The appeal window opens when the slot is disputed. With an appeal, the dispute is pending until the ruling.
  const isPending = sql<boolean>`
    a.status = 'disputed' and coalesce(
      (select bool_or(p.ruling is null) from worker_appeals p
        where p.task_id = a.task_id and p.assignment_id = a.id),
      a.ended_at > ${closedIfOpenedBy(now, config)})`
  return db
    .selectFrom('worker_assignments as a')
    .innerJoin('worker_tasks as t', 't.id', 'a.task_id')
    .select([
      'a.status',
      'accepted_at',
      'submitted_at',
      'expires_at',
      'a.ended_at',
      't.type',
      'consensus_count',
      isPending.as('is_pending'),
    ])
    .where('worker_id', '=', workerId)
    .where('a.status', 'in', ['approved', 'disputed'])
    .orderBy('a.id', 'desc')
    .limit(JUDGED_MAX)
    .$castTo<Judged>()
    .execute()
}

export async function payoutStatusOf(db: Reader, workerId: string): Promise<PayoutStatus> {
  const account = await db
    .selectFrom('payout_accounts')
    .select('status')
    .where('worker_id', '=', workerId)
    .where('account_id', 'is not', null)
    .executeTakeFirst()
  return account?.status ?? 'not_connected'
}

export function viewStanding(worker: Worker, judged: readonly Judged[], now: Date) {
  return {
    trust_score: trustScore(worker, now),
    standing_score: standingScore(worker, now),
    level: levelOf(worker, now),
    badges: badgesOf({ ...worker, judged }),
  }
}

export function viewProfile(
  worker: Worker,
  {
    judged,
    payoutStatus,
    now,
  }: { judged: readonly Judged[]; payoutStatus: PayoutStatus; now: Date },
): ProfileView {
  const location = worker.location as Location | null
  return {
    id: worker.id,
    name: worker.name,
    email: worker.email,
    skills: worker.skills,
    languages: worker.languages,
    app_language: worker.app_language,
    location: location && {
      label: location.label,
      lat: location.lat ?? null,
      lng: location.lng ?? null,
      radius_km: location.radius_km,
    },
    preferences: worker.preferences as ProfileView['preferences'],
    ...viewStanding(worker, judged, now),
    stats: { completed: worker.approved_count, ...statsOf(judged) },
    payout_status: payoutStatus,
    closes_at: worker.closes_at?.toISOString() ?? null,
    created_at: worker.created_at.toISOString(),
  }
}

function statsOf(judged: readonly Judged[]) {
  const approved = judged.filter(({ status }) => status === 'approved')
  const minutes = approved.flatMap(({ accepted_at, submitted_at }) =>
    submitted_at === null ? [] : (submitted_at.getTime() - accepted_at.getTime()) / 60_000,
  )
  const sum = minutes.reduce((total, one) => total + one, 0)
  return {
    disputed: judged.length - approved.length,
    verdicts: judged.length,
    approval_rate: rateOf(approved.length, judged.length),
    avg_minutes: typicalOf(Math.round((sum / minutes.length) * 10) / 10, minutes.length),
  }
}
