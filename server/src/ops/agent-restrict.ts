/** Restrict an agent. */
import { restrictAgent } from '../agents/restrict.ts'
import { command, CommandRefused, named, sentenceOf } from './command.ts'

export const agentRestrict = command({
  name: 'agent restrict',
  takes: 'AGENT REASON',
  does: 'stop an agent from creating tasks; tasks that nobody has accepted are withdrawn',
  right: 'rule',
  async run({ db, clock }, { words: [agent, ...reason] }) {
    const agentId = named(agent, 'an agent')
    sentenceOf(reason, 'a reason')
    const known = await db.shards
      .at(agentId)
      .reader.selectFrom('agents')
      .select('id')
      .where('id', '=', agentId)
      .executeTakeFirst()
    if (known === undefined) throw new CommandRefused(`Agent ${agentId} does not exist`)
    await db.shards
      .at(agentId)
      .transaction((tx) => restrictAgent(tx, { agentId, why: 'operator', now: clock.now() }))
    return { data: { agent_id: agentId } }
  },
})
