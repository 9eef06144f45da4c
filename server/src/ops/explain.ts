/** Record an explanation for a reconciliation break. */
import { explainBreak } from '../decisions/kinds/explain-break.ts'
import { command, Misunderstood, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const explain = command({
  name: 'explain',
  takes: 'BREAK WORDS',
  does: 'explain a break, so that it no longer raises an alert',
  right: 'pay',
  async run(background, { words: [number, ...words], by }) {
    const breakId = Number(number?.replace('#', ''))
    if (!Number.isSafeInteger(breakId)) throw new Misunderstood('Give the number of the break')
    const data = await decideNow(background, explainBreak, {
      subject: String(breakId),
      input: {},
      reason: sentenceOf(words, 'an explanation'),
      by,
    })
    return { data }
  },
})
