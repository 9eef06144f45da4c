/** Release a held payout. */
import { decideHold } from '../payouts/decide-hold.ts'
import { command, named, sentenceOf } from './command.ts'

export const payoutRelease = command({
  name: 'payout release',
  takes: 'PAYOUT REASON',
  does: 'release a held payout',
  async run(background, { words: [payoutId, ...reason], operator }) {
    const { id, amount_cents, status } = await decideHold(background, {
      payoutId: named(payoutId, 'a payout'),
      verdict: 'let_go',
      note: `${operator}: ${sentenceOf(reason, 'a reason')}`,
    })
    return { data: { id, amount_cents, status } }
  },
})
