/** Continues waiting for a task, or shows its current state. */
import { z } from 'zod'
import { showTask } from '../outcome.ts'
import { tool } from '../tool.ts'
import { waitForPeople, WaitSeconds } from '../waiting.ts'

export const TaskId = z.string().max(100).describe('`task_…`, as ask_human returned it')

export const waitForHuman = tool({
  name: 'wait_for_human',
  title: 'Wait for a person',
  description:
    'Waits until a person has sent their proof for a task, and returns it; or says where the task is when ' +
    'wait_seconds are over. Costs nothing and can be called again and again. With wait_seconds 0 it only looks.',
  input: z.object({ task_id: TaskId, wait_seconds: WaitSeconds }),
  annotations: { readOnlyHint: true, openWorldHint: true },

  async run({ task_id, wait_seconds }, caller) {
    return showTask(caller, await waitForPeople(caller, task_id, wait_seconds))
  },
})
