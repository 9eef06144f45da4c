/** Lift the restriction of an agent. */
import { freeAgent } from '../decisions/kinds/free-agent.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const agentFree = command({
  name: 'agent free',
  takes: 'AGENT REASON',
  does: 'lift any restriction of an agent',
  right: 'rule',
  async run(background, { words: [agent, ...reason], by }) {
    const data = await decideNow(background, freeAgent, {
      subject: named(agent, 'an agent'),
      input: {},
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
