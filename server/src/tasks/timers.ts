import type { Urgency } from './deadline.ts'
import type { Task } from './queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long a worker has from acceptance. */
const WORK_MS: Record<Urgency, number> = {
  instant: 15 * MINUTE,
  urgent: HOUR,
  standard: 4 * HOUR,
  flex: 24 * HOUR,
  scheduled: 24 * HOUR,
}

/** Whoever has begun an upload is not cut off in the middle of it. */
export const UPLOAD_GRACE_MS = 10 * MINUTE
/** Who let the time run out leaves the task to others for a day. */
export const RETAKE_AFTER_MS = 24 * HOUR

/**
 * Until when a worker who accepts now has time: never past the deadline; a scheduled task by its window's end, and once
 * that is over as long as any that can wait.
 */
export function workUntil(
  task: Pick<Task, 'urgency' | 'scheduled_at' | 'window_minutes' | 'deadline'>,
  now: Date,
): Date {
  const windowEnd =
    task.scheduled_at && task.scheduled_at.getTime() + (task.window_minutes ?? 60) * MINUTE
  const end =
    task.urgency === 'scheduled' && windowEnd !== null && windowEnd > now.getTime()
      ? windowEnd
      : now.getTime() + WORK_MS[task.urgency]
  return new Date(Math.min(end, task.deadline.getTime()))
}

/** When silence becomes approval, counted from the last needed proof. */
export const reviewDueAt = (task: Pick<Task, 'auto_approve_after'>, proofAt: Date) =>
  new Date(proofAt.getTime() + task.auto_approve_after * 1000)
