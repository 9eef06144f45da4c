/** Lift the restriction of an agent. */
import { freeAgent } from '../agents/restrict.ts'
import { command, CommandRefused, named, sentenceOf } from './command.ts'

export const agentFree = command({
  name: 'agent free',
  takes: 'AGENT REASON',
  does: 'lift any restriction of an agent',
  right: 'rule',
  async run({ db, clock }, { words: [agent, ...reason] }) {
    const agentId = named(agent, 'an agent')
    sentenceOf(reason, 'a reason')
    const isFreed = await db.shards
      .at(agentId)
      .transaction((tx) => freeAgent(tx, { agentId, now: clock.now() }))
    if (!isFreed) throw new CommandRefused(`${agentId} is not restricted`)
    return { data: { agent_id: agentId } }
  },
})
