/** Pure rules that decide whether a worker has the level, skills and languages that a task requires. */
import { type Abilities, type Lacked, lackedBy } from '../workers/abilities.ts'
import { sharesOf } from './draft.ts'
import type { Task } from './queries.ts'

/** The share of one worker, before commission, above which a level is required. */
const LEVEL_BY_SHARE = [
  { above_cents: 50_000, level: 4 },
  { above_cents: 20_000, level: 3 },
  { above_cents: 5000, level: 2 },
]

/** The level that a share of this size requires, provided that enough workers have it. */
export function usualLevel(
  task: Pick<Task, 'locked_cents' | 'consensus_count' | 'consensus_max'>,
): number {
  const share = task.locked_cents / sharesOf(task)
  return LEVEL_BY_SHARE.find(({ above_cents }) => share > above_cents)?.level ?? 1
}

/**
 * The level that a worker needs for the task: the higher of the one that the agent requires and the one that the share
 * requires. The latter is decided at creation; older tasks that don't store it use the default rule.
 */
export function levelNeeded(
  task: Pick<
    Task,
    'min_worker_level' | 'share_level' | 'locked_cents' | 'consensus_count' | 'consensus_max'
  >,
): number {
  return Math.max(task.min_worker_level, task.share_level ?? usualLevel(task))
}

/** The skills and languages that the worker lacks for a task. Test workers are eligible for everything. */
export const lackedFor = (
  task: Pick<Task, 'skills' | 'languages' | 'mode'>,
  can: Abilities,
): Lacked => lackedBy(can, task.mode === 'test' ? { skills: [], languages: [] } : task)
