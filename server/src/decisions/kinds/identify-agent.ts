/**
 * Record that we know who is behind an agent, or take that back.
 *
 *   called by   an operator with the right `rule`, who has seen the documents of the person or the company
 *   moves       see agents/identify.ts
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { identifyAgent as identify } from '../../agents/identify.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const identifyAgent = decision({
  kind: 'agent.identify',
  right: 'rule',
  title: 'Identify an agent',
  input: z.object({ identified: z.boolean() }),

  async preview({ db }, { subject, input: { identified } }) {
    const agent = await db.shards
      .at(subject)
      .reader.selectFrom('agents')
      .select(['mode', 'identified_at'])
      .where('id', '=', subject)
      .executeTakeFirst()
    if (agent === undefined) throw decisionRefused({ why: `Agent ${subject} does not exist` })
    if (agent.mode === 'test') throw decisionRefused({ why: 'Test mode has no tiers' })
    if ((agent.identified_at !== null) === identified) throw already(subject, identified)
    return {
      ...NO_EFFECT,
      changes: [
        identified
          ? 'The agent may have any number of tasks open, with any budgets'
          : 'The limits of its lower tier apply to new tasks; open tasks stay open',
      ],
      undo: identified ? 'Take the identification back' : 'Identify the agent again',
    }
  },

  async carryOut({ db, clock }, { subject, input: { identified } }) {
    const isChanged = await db.shards
      .at(subject)
      .transaction((tx) => identify(tx, { agentId: subject, identified, now: clock.now() }))
    if (!isChanged) throw already(subject, identified)
    return { agent_id: subject, identified }
  },

  async findDone({ db }, { subject, input: { identified } }) {
    const agent = await db.shards
      .at(subject)
      .reader.selectFrom('agents')
      .select('identified_at')
      .where('id', '=', subject)
      .executeTakeFirst()
    return agent !== undefined && (agent.identified_at !== null) === identified
      ? { agent_id: subject, identified }
      : undefined
  },

  undo: ({ subject, input: { identified } }) => ({
    kind: 'agent.identify',
    subject,
    input: { identified: !identified },
  }),
})

const already = (subject: string, identified: boolean) =>
  decisionRefused({ why: `${subject} is ${identified ? 'already' : 'not'} identified` })
