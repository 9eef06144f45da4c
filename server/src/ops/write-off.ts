/** Write off a debt that an agent will not pay. */
import { writeOffDebt } from '../decisions/kinds/write-off-debt.ts'
import { centsOf, command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const writeOff = command({
  name: 'write-off',
  takes: 'AGENT CENTS REASON',
  does: 'write off a debt that an agent will not pay',
  right: 'pay',
  async run(background, { words: [agent, cents, ...reason], by }) {
    const data = await decideNow(background, writeOffDebt, {
      subject: named(agent, 'an agent'),
      input: { amount_cents: centsOf(cents) },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
