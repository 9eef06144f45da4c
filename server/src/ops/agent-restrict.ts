/** Restrict an agent. */
import { restrictAgent } from '../agents/restrict.ts'
import { command, CommandRefused, named, sentenceOf } from './command.ts'

export const agentRestrict = command({
  name: 'agent restrict',
  takes: 'AGENT REASON',
  does: 'let an agent create no more tasks; what nobody has accepted is withdrawn',
  async run({ db, clock }, { words: [agent, ...reason] }) {
    const agentId = named(agent, 'an agent')
    sentenceOf(reason, 'a reason')
    const known = await db.reader
      .selectFrom('agents')
      .select('id')
      .where('id', '=', agentId)
      .executeTakeFirst()
    if (known === undefined) throw new CommandRefused(`There is no agent ${agentId}`)
    await db.transaction((tx) => restrictAgent(tx, { agentId, why: 'operator', now: clock.now() }))
    return { data: { agent_id: agentId } }
  },
})
