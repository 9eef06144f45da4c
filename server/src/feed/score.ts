/** The feed's ranking: how well an open task fits a worker, and why. Pure rules. */
import { z } from 'zod'
import { named } from '../kit/named.ts'
import type { Task } from '../tasks/queries.ts'

type TaskType = Task['type']

/** A rough duration by task type; shown to the worker, and used to compute pay per hour. */
export const EST_MINUTES: Record<TaskType, number> = {
  verification: 15,
  voice_proxy: 10,
  gut_check: 3,
  field_mission: 45,
  empathy_escalation: 20,
  vibe_reader: 5,
  custom: 20,
}

/** Parameters of the score. */
const WEIGHTS = {
  /** Pay per hour that gives a medium score by itself, and the minimum that counts as good pay. */
  fair_cents_per_hour: 1500,
  good_cents_per_hour: 2500,
  /** At this distance a task's score weight is half that of one next door. */
  half_at_km: 5,
  /** The assumed distance of a task that can be done from anywhere. */
  anywhere_km: 2,
  /** Fit points for each requested skill that the worker has, and for each task of this type that they have done. */
  skill: 0.25,
  done_before: 0.05,
  done_before_max: 0.25,
  /** Bonuses in the last hours before the deadline. */
  urgent_hours: 2,
  urgent: 0.2,
  soon_hours: 24,
  soon: 0.1,
}

export interface Candidate {
  type: TaskType
  pay_cents: number
  skill_count: number
  deadline_ms: number
  /** The probability that its agent pays, by its verdicts so far. */
  paid_chance: number
  distance_km: number | null
}

/**
 * The match score of a task: net pay per hour × chance of being paid × closeness × fit × urgency, squashed into 0…1.
 * It depends on time only through `asOf`, so that all pages of a feed are consistent.
 */
export function scoreOf(
  task: Candidate,
  { done, asOf }: { done: Partial<Record<TaskType, number>>; asOf: Date },
): number {
  const closeness = 1 / (1 + (task.distance_km ?? WEIGHTS.anywhere_km) / WEIGHTS.half_at_km)
  const practice = Math.min((done[task.type] ?? 0) * WEIGHTS.done_before, WEIGHTS.done_before_max)
  const fit = 1 + (task.skill_count > 0 ? WEIGHTS.skill : 0) + practice
  const hours = hoursLeft(task, asOf)
  const urgency =
    1 +
    (hours <= WEIGHTS.urgent_hours
      ? WEIGHTS.urgent
      : hours <= WEIGHTS.soon_hours
        ? WEIGHTS.soon
        : 0)
  const worth =
    (centsPerHour(task) / WEIGHTS.fair_cents_per_hour) *
    task.paid_chance *
    closeness *
    fit *
    urgency
  return Math.round((worth / (1 + worth)) * 10_000) / 10_000
}

/** Why a task fits a worker, as data, so that apps can localize it. */
export const Because = named(
  'MatchReason',
  z.discriminatedUnion('code', [
    z.object({ code: z.literal('done_before'), count: z.int() }),
    z.object({ code: z.literal('skills'), skills: z.array(z.string()) }),
    z.object({ code: z.literal('near'), distance_km: z.number() }),
    z.object({ code: z.literal('pays_well') }),
    z.object({ code: z.literal('ends_soon') }),
  ]),
)
type Because = z.output<typeof Because>

/** Strongest reason first. */
export function becauseOf(
  task: Candidate,
  asked: string[],
  { done, asOf }: { done: Partial<Record<TaskType, number>>; asOf: Date },
): Because[] {
  const because: Because[] = []
  const count = done[task.type] ?? 0
  if (count > 0) because.push({ code: 'done_before', count })
  const skills = asked.slice(0, 3)
  if (skills.length > 0) because.push({ code: 'skills', skills })
  if (task.distance_km !== null && task.distance_km <= WEIGHTS.half_at_km)
    // No more precise than the card: 100 meters.
    because.push({
      code: 'near',
      distance_km: Math.max(0.1, Math.round(task.distance_km * 10) / 10),
    })
  if (centsPerHour(task) >= WEIGHTS.good_cents_per_hour) because.push({ code: 'pays_well' })
  if (hoursLeft(task, asOf) <= WEIGHTS.urgent_hours) because.push({ code: 'ends_soon' })
  return because
}

/** The same in plain English. */
export function inWords(because: Because): string {
  switch (because.code) {
    case 'done_before':
      return `You’ve done ${because.count} like this`
    case 'skills':
      return `Matches your skill${because.skills.length > 1 ? 's' : ''}: ${because.skills.join(', ')}`
    case 'near':
      return `${distanceInWords(because.distance_km)} away`
    case 'pays_well':
      return 'Pays well for the time it takes'
    case 'ends_soon':
      return 'Ends soon'
  }
}

const distanceInWords = (km: number) => (km < 1 ? `${Math.round(km * 1000)} m` : `${km} km`)

const centsPerHour = ({ pay_cents, type }: Candidate) => (pay_cents / EST_MINUTES[type]) * 60
const hoursLeft = ({ deadline_ms }: Candidate, asOf: Date) =>
  (deadline_ms - asOf.getTime()) / 3_600_000
