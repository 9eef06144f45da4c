/** Continues waiting for a task, or shows its current state. */
import { z } from 'zod'
import { Structured } from '../answers.ts'
import { showTask } from '../outcome.ts'
import { tool } from '../tool.ts'
import { waitForPeople, WaitSeconds } from '../waiting.ts'

export const TaskId = z.string().max(100).describe('The `task_…` id that ask_human returned')

export const waitForHuman = tool({
  name: 'wait_for_human',
  title: 'Wait for a person',
  description:
    'Waits until a person has sent proof for a task, and returns the status, the answer and the proof, or the ' +
    'current status after wait_seconds. Use it after ask_human, as often as you like; it costs nothing. With ' +
    'wait_seconds 0 it returns at once.',
  input: z.object({ task_id: TaskId, wait_seconds: WaitSeconds }),
  output: Structured,
  annotations: { readOnlyHint: true, openWorldHint: true },

  async run({ task_id, wait_seconds }, caller) {
    return showTask(caller, await waitForPeople(caller, task_id, wait_seconds))
  },
})
