/** Waits within one call, never longer than clients do, and reports progress. */
import { type TaskDetail, WaitTimeout } from '@legwork/sdk'
import { z } from 'zod'
import type { Caller } from './tool.ts'

/** Clients time out after 60 seconds, and most don't extend that on progress. */
const WAIT_SECONDS_MAX = 50
const TELL_EVERY_MS = 5000

export const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(45)
  .describe(`How many seconds to wait in this call, 0 to ${WAIT_SECONDS_MAX}`)

/** Returns the task once there is something to review, or its current state when the time is up. */
export async function waitForPeople(
  { legwork, signal, stopping, tell }: Caller,
  taskId: string,
  seconds: number,
): Promise<TaskDetail> {
  if (seconds === 0) return legwork.tasks.get(taskId, { media: 'url' }, { signal })
  const begun = performance.now()
  let task: TaskDetail | undefined
  const report = () => {
    const passed = Math.min((performance.now() - begun) / 1000, seconds)
    // Ignore failures: a caller that has gone needs no progress, and the wait ends on its own.
    tell({ passed, of: seconds, message: stepOf(task) }).catch(() => {})
  }
  const ticking = setInterval(report, TELL_EVERY_MS)
  try {
    return await legwork.tasks.wait(taskId, {
      timeout: seconds * 1000,
      signal,
      // Don't abort the long poll on shutdown: if the API is this same process, it responds at once when it stops.
      until: ({ status }) => status === 'proof_submitted' || stopping?.aborted === true,
      onChange(now) {
        task = now
        report()
      },
    })
  } catch (error) {
    if (error instanceof WaitTimeout) return error.task
    throw error
  } finally {
    clearInterval(ticking)
  }
}

/** Never includes a name, because workers choose their own names. */
function stepOf(task: TaskDetail | undefined): string {
  if (task === undefined || task.status === 'pending') return 'Looking for a person'
  const { received = 0, needed = 1 } = task.consensus ?? {}
  return received === 0 ? 'A person is working on it' : `${received} of ${needed} answers received`
}
