/** Shows the available budget. */
import type { Key } from '@legwork/sdk'
import { z } from 'zod'
import { dollars } from '../task-types.ts'
import { say, tool } from '../tool.ts'

export const getBudget = tool({
  name: 'get_budget',
  title: 'Get the budget',
  description:
    'Returns the balance, the money locked in open tasks, the free tasks left and the spending caps of this key. ' +
    'Use it before asking a person. Costs nothing.',
  input: z.object({}),
  annotations: { readOnlyHint: true, openWorldHint: false },

  async run(_, { legwork, signal }) {
    const { agent, key } = await legwork.agents.me({ signal })
    const capped = capsOf(key)
    return say(
      `mode: ${agent.mode}${agent.mode === 'test' ? ' (play money, scripted workers)' : ''}`,
      `balance: ${dollars(agent.balance_cents)} (${agent.balance_cents} cents)`,
      `locked in open tasks: ${dollars(agent.escrow_cents)}`,
      `free tasks left: ${agent.free_tasks_remaining}`,
      ...(capped.length > 0 ? capped : ['caps of this key: none']),
    )
  },
})

function capsOf({ caps, spent }: Pick<Key, 'caps' | 'spent'>): string[] {
  const cap = (name: string, limit: number | null, used?: number) =>
    limit === null
      ? []
      : [`cap ${name}: ${dollars(limit)}${used === undefined ? '' : `, ${dollars(used)} used`}`]
  return [
    ...cap('per task', caps.task_max_cents),
    ...cap('per day', caps.day_max_cents, spent?.day_cents),
    ...cap('per month', caps.month_max_cents, spent?.month_cents),
    ...cap('in total', caps.budget_cents, spent?.total_cents),
  ]
}
