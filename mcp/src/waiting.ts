/** Waiting inside of one call: never longer than clients do, with word of how far it is. */
import { type TaskDetail, WaitTimeout } from '@legwork/sdk'
import { z } from 'zod'
import type { Caller } from './tool.ts'

/** Clients give up after 60 seconds, and most are not held by progress. */
const WAIT_SECONDS_MAX = 50
const TELL_EVERY_MS = 5000

export const WaitSeconds = z
  .int()
  .min(0)
  .max(WAIT_SECONDS_MAX)
  .default(45)
  .describe(`How long to wait within this call, 0 to ${WAIT_SECONDS_MAX}`)

/** The task when there is something to look at, or as it is when the time is up. */
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
    // Who does not listen any more is told nothing; the wait has an end of its own.
    tell({ passed, of: seconds, message: stepOf(task) }).catch(() => {})
  }
  const ticking = setInterval(report, TELL_EVERY_MS)
  try {
    return await legwork.tasks.wait(taskId, {
      timeout: seconds * 1000,
      signal,
      // What is under way is let finish: where the API is this very process, it answers at once when it stops.
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

/** Never a name: what a person calls themselves is theirs to choose. */
function stepOf(task: TaskDetail | undefined): string {
  if (task === undefined || task.status === 'pending') return 'Looking for a person'
  const { received = 0, needed = 1 } = task.consensus ?? {}
  return received === 0 ? 'A person is on it' : `${received} of ${needed} answers are in`
}
