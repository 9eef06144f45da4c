/** Lists tasks, newest first, one line each. */
import { z } from 'zod'
import { dollars } from '../task-types.ts'
import { refuse, say, tool } from '../tool.ts'
import { oneLine } from '../untrusted.ts'

const ROWS_MAX = 50
const UNITS: Record<string, number> = { m: 60_000, h: 3_600_000, d: 86_400_000 }

export const listHumanTasks = tool({
  name: 'list_human_tasks',
  title: 'List tasks',
  description:
    `Lists the tasks your agent has asked people to do, newest first, at most ${ROWS_MAX}: task_id, status, type, ` +
    'budget, time and question. Use it to find a task_id, or tasks that wait for your review. Costs nothing.',
  input: z.object({
    status: z
      .enum([
        'pending',
        'in_progress',
        'proof_submitted',
        'completed',
        'disputed',
        'expired',
        'cancelled',
      ])
      .optional()
      .describe('proof_submitted lists tasks that wait for your review'),
    since: z.string().max(40).optional().describe('`24h`, `7d`, or an ISO 8601 time'),
  }),
  annotations: { readOnlyHint: true, openWorldHint: false },

  async run({ status, since }, { legwork, signal }) {
    const from = since === undefined ? 0 : momentOf(since)
    if (Number.isNaN(from))
      return refuse('since: must be a duration such as 24h or 7d, or an ISO 8601 time.')
    const { tasks, total } = await legwork.tasks.list(
      { limit: ROWS_MAX, ...(status === undefined ? {} : { status }) },
      { signal },
    )
    const rows = tasks.filter(({ created_at }) => Date.parse(created_at) >= from)
    if (rows.length === 0) return say('No matching tasks. Use ask_human to ask a person.')
    return say(
      `${rows.length} of ${total}: task_id, status, type, budget, asked at, question`,
      ...rows.map(
        (task) =>
          `${task.id} ${task.status} ${task.type} ${dollars(task.budget_cents)} ${task.created_at} ` +
          JSON.stringify(oneLine(task.description, 80)),
      ),
    )
  },
})

function momentOf(since: string): number {
  const [, count, unit] = /^(\d{1,4})([mhd])$/.exec(since) ?? []
  return unit === undefined ? Date.parse(since) : Date.now() - Number(count) * UNITS[unit]!
}
