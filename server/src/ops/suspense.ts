/** Resolve money in suspense: it belongs to an agent, goes back to its payer, or is our own. */
import { command, Misunderstood, named } from './command.ts'
import { giveToAgent, sendBack, type SentBack, takeAsOurs } from './resolve-suspense.ts'

type Resolved =
  | { verdict: 'to'; agent_id: string; amount_cents: number }
  | { verdict: 'ours'; amount_cents: number }
  | { verdict: 'back'; sent: SentBack }

export const suspense = command<Resolved>({
  name: 'suspense',
  takes: 'TRANSACTION to AGENT | back | ours',
  does: 'decide on money in suspense',
  right: 'pay',
  async run(background, { words: [transaction, verdict, agent] }) {
    const transactionId = named(transaction, 'a transaction')
    const { clock } = background
    const db = background.db.shards.global
    const now = clock.now()
    if (verdict === 'to') {
      const agentId = named(agent, 'an agent')
      const amount_cents = await db.transaction((tx) =>
        giveToAgent({ db, tx }, { transactionId, agentId, now }),
      )
      return { data: { verdict, agent_id: agentId, amount_cents } }
    }
    if (verdict === 'ours') {
      const amount_cents = await db.transaction((tx) =>
        takeAsOurs({ db, tx }, { transactionId, now }),
      )
      return { data: { verdict, amount_cents } }
    }
    if (verdict !== 'back')
      throw new Misunderstood('The decision must be `to AGENT`, `back` or `ours`')
    const sent = await sendBack(background, { transactionId })
    return { data: { verdict, sent }, isBad: sent.outcome !== 'sent' }
  },
})
