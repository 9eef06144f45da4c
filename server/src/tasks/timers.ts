import type { Urgency } from './deadline.ts'
import type { Task } from './queries.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE

/** How long a worker has to submit proof after accepting a task. */
const WORK_MS: Record<Urgency, number> = {
  instant: 15 * MINUTE,
  urgent: HOUR,
  standard: 4 * HOUR,
  flex: 24 * HOUR,
  scheduled: 24 * HOUR,
}

/** Extra time for a worker who has begun an upload. */
export const UPLOAD_GRACE_MS = 10 * MINUTE
/** A worker who let a task time out can't accept it again for a day. */
export const RETAKE_AFTER_MS = 24 * HOUR

/**
 * Returns when the time of a worker who accepts now will end. It never ends after the deadline. For a scheduled task it
 * ends with the task's window; if the window has passed, the worker gets the regular time.
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

/** When the task is auto-approved, counted from the last required proof. */
export const reviewDueAt = (task: Pick<Task, 'auto_approve_after'>, proofAt: Date) =>
  new Date(proofAt.getTime() + task.auto_approve_after * 1000)
