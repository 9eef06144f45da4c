/** Release a held payout. */
import { releasePayout } from '../decisions/kinds/release-payout.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const payoutRelease = command({
  name: 'payout release',
  takes: 'PAYOUT REASON',
  does: 'release a held payout',
  right: 'pay',
  async run(background, { words: [payoutId, ...reason], by }) {
    const data = await decideNow(background, releasePayout, {
      subject: named(payoutId, 'a payout'),
      input: {},
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
