/** A worker's notification settings: `preferences.notify`. The notices themselves are in `server/src/notices`. */
import { z } from 'zod'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { isTimeZone } from './periods.ts'

export const NOTICE_KINDS = [
  'new_task',
  'half_time',
  'check_in',
  'paid',
  'disputed',
  'dispute_held',
  'decided',
  'level_lowered',
  'revision_requested',
  'cancelled',
  'payout_paid',
  'payout_failed',
  'question_answered',
] as const satisfies Schema['notices']['kind'][]
export type NoticeKind = (typeof NOTICE_KINDS)[number]

const NEW_TASKS_PER_DAY = { default: 3, max: 20 }

const Time = z.string().regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day such as 22:00')
const Zone = z
  .string()
  .max(50)
  .refine(isTimeZone, 'must be the name of a time zone such as Europe/Berlin')
const Quiet = z.object({ from: Time, to: Time, tz: Zone })
export type Quiet = z.output<typeof Quiet>

const PerDay = z.int().min(0).max(NEW_TASKS_PER_DAY.max)

const byKind = <S extends z.ZodType>(schema: S) =>
  Object.fromEntries(NOTICE_KINDS.map((kind) => [kind, schema])) as Record<NoticeKind, S>

export const Notify = named(
  'NotificationSettings',
  z
    .looseObject({
      ...byKind(z.boolean().optional()),
      quiet: Quiet.nullish().describe(
        'Between these times, push messages that can wait are held back',
      ),
      new_tasks_per_day: PerDay.optional(),
    })
    .describe(
      'A switch for each kind of notice, on unless false; `quiet` {from, to, tz}; ' +
        `\`new_tasks_per_day\` (0 to ${NEW_TASKS_PER_DAY.max}, ${NEW_TASKS_PER_DAY.default} by ` +
        'default)',
    ),
)

const NOTHING = {}

/** Preferences stored before this schema existed may not match it: invalid values fall back to the defaults. */
const Wanted = z.object({
  notify: z
    .object({
      ...byKind(z.boolean().catch(true).default(true)),
      quiet: Quiet.nullable().catch(null).default(null),
      new_tasks_per_day: PerDay.catch(NEW_TASKS_PER_DAY.default).default(NEW_TASKS_PER_DAY.default),
    })
    .prefault(NOTHING),
})
export type Wanted = z.output<typeof Wanted>['notify']

export function wantedBy({ preferences }: { preferences: unknown }): Wanted {
  const { success, data } = Wanted.safeParse(preferences)
  return (success ? data : Wanted.parse(NOTHING)).notify
}
