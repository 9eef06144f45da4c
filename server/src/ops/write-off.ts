/** Write off a debt that an agent will not pay. */
import { writeOffDebt } from '../wallet/write-off.ts'
import { centsOf, command, named, sentenceOf } from './command.ts'

export const writeOff = command({
  name: 'write-off',
  takes: 'AGENT CENTS REASON',
  does: 'write off a debt that an agent will not pay',
  right: 'pay',
  async run({ db, clock }, { words: [agent, cents, ...reason] }) {
    const agentId = named(agent, 'an agent')
    const amountCents = centsOf(cents)
    sentenceOf(reason, 'a reason')
    const { owedCents } = await db.shards
      .at(agentId)
      .transaction((tx) => writeOffDebt(tx, { agentId, amountCents, now: clock.now() }))
    return { data: { agent_id: agentId, written_off_cents: amountCents, owed_cents: owedCents } }
  },
})
