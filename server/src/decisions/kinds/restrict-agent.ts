/**
 * Restrict an agent: it can't create tasks, and tasks that nobody has accepted are withdrawn.
 *
 *   called by   an operator with the right `rule`
 *   moves       see agents/restrict.ts
 *   money       none; withdrawn tasks return their budgets
 *   event       agent.restricted (ours)
 */
import { z } from 'zod'
import { restrictAgent as restrict } from '../../agents/restrict.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const restrictAgent = decision({
  kind: 'agent.restrict',
  right: 'rule',
  title: 'Restrict an agent',
  input: z.object({}),

  async preview({ db }, { subject: agentId }) {
    const { reader } = db.shards.at(agentId)
    const agent = await reader
      .selectFrom('agents')
      .select(['id', 'mode'])
      .where('id', '=', agentId)
      .executeTakeFirst()
    if (agent === undefined) throw decisionRefused({ why: `Agent ${agentId} does not exist` })
    return {
      amount_cents: null,
      lines: [],
      tells: [
        { who: 'agent', id: agentId, what: 'your reason and how to reach a person: by email' },
      ],
      changes: [
        'The agent can’t create tasks or get refunds',
        'Tasks that nobody has accepted are withdrawn, and their budgets return; accepted ones continue and are paid',
      ],
      undo: 'Free the agent; withdrawn tasks stay withdrawn',
    }
  },

  async carryOut({ db, clock }, { subject: agentId }) {
    await db.shards
      .at(agentId)
      .transaction((tx) => restrict(tx, { agentId, why: 'operator', now: clock.now() }))
    return { agent_id: agentId }
  },

  undo: ({ subject }) => ({ kind: 'agent.free', subject, input: {} }),
})
