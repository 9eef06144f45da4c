/** Restrict an agent. */
import { restrictAgent } from '../decisions/kinds/restrict-agent.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const agentRestrict = command({
  name: 'agent restrict',
  takes: 'AGENT REASON',
  does: 'stop an agent from creating tasks; tasks that nobody has accepted are withdrawn',
  right: 'rule',
  async run(background, { words: [agent, ...reason], by }) {
    const data = await decideNow(background, restrictAgent, {
      subject: named(agent, 'an agent'),
      input: {},
      reason: sentenceOf(reason, 'a reason, which the agent sees'),
      by,
    })
    return { data }
  },
})
