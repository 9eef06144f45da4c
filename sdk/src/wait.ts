import type { CallOptions } from './call-options.ts'
import { type Duration, toMs } from './duration.ts'
import { isPassing, WaitTimeout } from './errors.ts'
import { pause, pauseMs } from './request.ts'
import type { TaskDetail, TaskQuery, TaskStatus } from './task-types.ts'

/** The server holds a response for at most 55 seconds. */
const HOLD_S = 50
/** After a failure, poll for a shorter time: a proxy may cut off long silent requests. */
const SHORT_HOLD_S = 20
/** Minimum time between polls, in case the server responds at once without a change. */
const AT_ONCE_MS = 1000
const TIMEOUT: Duration = '30m'

const ENDED: TaskStatus[] = ['completed', 'disputed', 'expired', 'cancelled']

export interface WaitOptions extends Omit<CallOptions, 'idempotencyKey'> {
  /** `30m`, `90s`, or milliseconds; 30 minutes by default. */
  timeout?: Duration | undefined
  /**
   * When to stop: `proof` (the default) when all proofs are in, `end` at the end of the task, or when your function
   * returns true. The end of the task always stops the wait.
   */
  until?: 'proof' | 'end' | ((task: TaskDetail) => boolean) | undefined
  /** `inline`: small photos of the proofs as data URLs beside their links; `url`, the default: links only. */
  media?: 'inline' | 'url' | undefined
  /** Called with the task at first and after every change. */
  onChange?: ((task: TaskDetail) => void) | undefined
}

export async function waitFor(
  get: (query: TaskQuery, options: CallOptions) => Promise<TaskDetail>,
  { timeout = TIMEOUT, until = 'proof', media = 'url', onChange, ...call }: WaitOptions,
): Promise<TaskDetail> {
  const startedAt = Date.now()
  const endsAt = startedAt + toMs(timeout)
  const isEnough = (task: TaskDetail) =>
    ENDED.includes(task.status) ||
    (typeof until === 'function'
      ? until(task)
      : until === 'proof' && task.status === 'proof_submitted')

  // Read the task first, so that an unknown id fails immediately.
  let task = await get({ media }, call)
  onChange?.(task)
  for (let failures = 0; !isEnough(task); ) {
    const leftMs = endsAt - Date.now()
    if (leftMs <= 0) throw new WaitTimeout(task, Date.now() - startedAt)
    const holdS = Math.min(failures > 0 ? SHORT_HOLD_S : HOLD_S, Math.ceil(leftMs / 1000))
    const askedAt = Date.now()
    try {
      // Compare with the status that was last seen, so that a change in between isn't missed.
      const seen = await get({ wait: holdS, while: task.status, media }, call)
      failures = 0
      if (seen.updated_at !== task.updated_at || seen.status !== task.status) {
        task = seen
        onChange?.(task)
      } else if (Date.now() - askedAt < AT_ONCE_MS)
        await pause(Math.min(AT_ONCE_MS, Math.max(0, leftMs)), call.signal)
    } catch (error) {
      if (!isPassing(error)) throw error
      failures += 1
      await pause(Math.min(pauseMs(failures, error.retryAfterS), Math.max(0, leftMs)), call.signal)
    }
  }
  return task
}
