/**
 * Caps on how often one phone number, place or person is the target of tasks, over all agents. A task is counted in a
 * short transaction of its own before it is created, because the counts are in one place and the agents' shards are
 * not. If it is not created, the count is given back; `settle.ts` gives back what a crash has left.
 */
import type { Config } from '../config.ts'
import { call } from '../kit/call.ts'
import type { Shards } from '../kit/db.ts'
import type { Mode, Warn } from '../kit/endpoint.ts'
import type { ApiError } from '../kit/errors.ts'
import type { Functions } from '../kit/functions.ts'
import { warnOfCallHours } from './call-hours.ts'
import { doNotContact, targetProtected } from './errors.ts'
import { findNumber, findTargets, type TargetedTask, type TargetKind } from './find-targets.ts'
import { hashTarget } from './hash.ts'

/** Longer than any request takes. */
const CHECK_AFTER_MS = 600_000
const HOUR_S = 3600

export interface Reservation {
  refusal: ApiError | undefined
  giveBack(): Promise<void>
}

/** Undefined if the task has no target. Tasks of test mode reach nobody. */
export async function reserveTargets(
  task: TargetedTask & { id: string; mode: Mode; scheduled_at: Date | null; deadline: Date },
  { shards, config, now, warn }: { shards: Shards; config: Config; now: Date; warn: Warn },
): Promise<Reservation | undefined> {
  if (task.mode === 'test') return undefined
  const targets = findTargets(task)
  if (targets.length === 0) return undefined
  const number = findNumber(task)
  if (number !== undefined) warnOfCallHours(number, { task, now, warn })

  const [full] = await call(shards.global, 'targets_reserve', {
    p_now: now,
    p_task_id: task.id,
    p_targets: await Promise.all(targets.map((target) => hashTarget(shards, target))),
    p_kinds: targets.map(({ kind }) => kind),
    p_day_max: targets.map(({ kind }) => capsOf(kind, config).day),
    p_month_max: targets.map(({ kind }) => capsOf(kind, config).month),
    p_check_at: new Date(now.getTime() + CHECK_AFTER_MS),
  })
  return {
    refusal: full && refusalOf(full, { target: targets[full.item - 1]!.kind, now }),
    async giveBack() {
      const { reader } = shards.global
      await reader.deleteFrom('target_uses').where('task_id', '=', task.id).execute()
    },
  }
}

function refusalOf(
  { cap, window_hours, free_at }: Functions['targets_reserve']['row'],
  { target, now }: { target: TargetKind; now: Date },
): ApiError {
  if (cap === 0) return doNotContact(target)
  return targetProtected({
    target,
    reason: 'cap',
    cap,
    window_hours,
    // Rounded up: the exact time would tell when another agent created a task.
    retry_after_seconds: HOUR_S * Math.ceil((free_at.getTime() - now.getTime()) / 1000 / HOUR_S),
  })
}

function capsOf(kind: TargetKind, config: Config): { day: number; month: number } {
  switch (kind) {
    case 'phone':
      return { day: config.TARGET_PHONE_DAY_MAX, month: config.TARGET_PHONE_MONTH_MAX }
    case 'place':
      return { day: config.TARGET_PLACE_DAY_MAX, month: config.TARGET_PLACE_MONTH_MAX }
    case 'person':
      return { day: config.TARGET_PERSON_DAY_MAX, month: config.TARGET_PERSON_MONTH_MAX }
  }
}
