/**
 * Lift the restriction of an agent.
 *
 *   called by   an operator with the right `rule`
 *   moves       see agents/restrict.ts
 *   money       none
 *   event       agent.freed (ours)
 */
import { z } from 'zod'
import { freeAgent as free } from '../../agents/restrict.ts'
import { decision } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const freeAgent = decision({
  kind: 'agent.free',
  right: 'rule',
  title: 'Free a restricted agent',
  input: z.object({}),

  async preview({ db }, { subject: agentId }) {
    const agent = await db.shards
      .at(agentId)
      .reader.selectFrom('agents')
      .select('status')
      .where('id', '=', agentId)
      .executeTakeFirst()
    if (agent?.status !== 'restricted') throw notRestricted(agentId)
    return {
      amount_cents: null,
      lines: [],
      tells: [{ who: 'agent', id: agentId, what: 'your reason: by email' }],
      changes: ['The agent can create tasks and get refunds again'],
      undo: 'Restrict the agent',
    }
  },

  async carryOut({ db, clock }, { subject: agentId }) {
    const isFreed = await db.shards
      .at(agentId)
      .transaction((tx) => free(tx, { agentId, now: clock.now() }))
    if (!isFreed) throw notRestricted(agentId)
    return { agent_id: agentId }
  },

  async findDone({ db }, { subject: agentId }) {
    const agent = await db.shards
      .at(agentId)
      .reader.selectFrom('agents')
      .select('status')
      .where('id', '=', agentId)
      .executeTakeFirst()
    return agent?.status === 'active' ? { agent_id: agentId } : undefined
  },

  undo: ({ subject }) => ({ kind: 'agent.restrict', subject, input: {} }),
})

const notRestricted = (agentId: string) => decisionRefused({ why: `${agentId} is not restricted` })
