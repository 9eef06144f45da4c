/** Pure rules that decide whether a worker has the level, skills and languages that a task requires. */
import { type Abilities, type Lacked, lackedBy } from '../workers/abilities.ts'
import { sharesOf } from './draft.ts'
import type { Task } from './queries.ts'

/** The pay of one worker's share, before the commission, above which a level is asked for. */
const LEVEL_BY_SHARE = [
  { above_cents: 50_000, level: 4 },
  { above_cents: 20_000, level: 3 },
  { above_cents: 5000, level: 2 },
]

/** The level that a share of this size asks for, where enough workers have it. */
export function usualLevel(
  task: Pick<Task, 'locked_cents' | 'consensus_count' | 'consensus_max'>,
): number {
  const share = task.locked_cents / sharesOf(task)
  return LEVEL_BY_SHARE.find(({ above_cents }) => share > above_cents)?.level ?? 1
}

/**
 * The level that a worker needs for the task: the one its agent asks for, or the one its share asks for if that is
 * higher. The latter is decided at creation; tasks from before that was stored follow the rule.
 */
export function levelNeeded(
  task: Pick<
    Task,
    'min_worker_level' | 'share_level' | 'locked_cents' | 'consensus_count' | 'consensus_max'
  >,
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

/** Why a task suits a worker, as data: an app says it in the worker's own language. */
export const Because = z.discriminatedUnion('code', [
  z.object({ code: z.literal('done_before'), count: z.int() }),
  z.object({ code: z.literal('skills'), skills: z.array(z.string()) }),
  z.object({ code: z.literal('near'), distance_km: z.number() }),
  z.object({ code: z.literal('pays_well') }),
  z.object({ code: z.literal('ends_soon') }),
])
type Because = z.output<typeof Because>

/** The strongest first. */
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
    // No finer than the card says: a hundred metres.
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
      return `You did ${because.count} like this`
    case 'skills':
      return `Matches your skill${because.skills.length > 1 ? 's' : ''}: ${because.skills.join(', ')}`
    case 'near':
      return `${distanceInWords(because.distance_km)} away`
    case 'pays_well':
      return 'Pays well for its time'
    case 'ends_soon':
      return 'Ends soon'
  }
}

/** The skills and languages that the worker lacks for a task. Test workers lack nothing: they can play anyone. */
export const lackedFor = (
  task: Pick<Task, 'skills' | 'languages' | 'mode'>,
  can: Abilities,
): Lacked => lackedBy(can, task.mode === 'test' ? { skills: [], languages: [] } : task)
