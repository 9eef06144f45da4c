/** Resolve money in suspense: it belongs to an agent, goes back to its payer, or is our own. */
import { resolveSuspense } from '../decisions/kinds/resolve-suspense.ts'
import { command, Misunderstood, named } from './command.ts'
import { decideNow, reasonOr } from './decide.ts'

export const suspense = command({
  name: 'suspense',
  takes: 'TRANSACTION to AGENT | back | ours [REASON]',
  does: 'decide on money in suspense',
  right: 'pay',
  async run(background, { words: [transaction, verdict, ...words], by }) {
    const subject = named(transaction, 'a transaction')
    const data = await decideNow(background, resolveSuspense, {
      subject,
      input: inputOf(verdict, words),
      reason: reasonOr(verdict === 'to' ? words.slice(1) : words),
      by,
    })
    return { data, isBad: data.verdict === 'back' && data.sent.outcome !== 'sent' }
  },
})

function inputOf(verdict: string | undefined, [agent]: string[]) {
  if (verdict === 'to') return { to: 'agent' as const, agent_id: named(agent, 'an agent') }
  if (verdict === 'ours') return { to: 'own_funds' as const }
  if (verdict === 'back') return { to: 'payer' as const }
  throw new Misunderstood('The decision must be `to AGENT`, `back` or `ours`')
}
