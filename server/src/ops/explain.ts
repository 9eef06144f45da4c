/** Record an explanation for a reconciliation break. */
import { explainBreak } from '../reconcile/breaks.ts'
import { command, CommandRefused, Misunderstood, sentenceOf } from './command.ts'

export const explain = command({
  name: 'explain',
  takes: 'BREAK WORDS',
  does: 'explain a break, so that it no longer raises an alert',
  right: 'pay',
  async run({ db }, { words: [number, ...words], operator }) {
    const breakId = Number(number?.replace('#', ''))
    if (!Number.isSafeInteger(breakId)) throw new Misunderstood('Give the number of the break')
    const explained = await db.transaction((tx) =>
      explainBreak(tx, { breakId, words: sentenceOf(words, 'an explanation'), operator }),
    )
    if (explained === undefined) throw new CommandRefused(`There is no open break ${breakId}`)
    const { kind, subject, amount_cents } = explained
    return { data: { id: breakId, kind, subject, amount_cents } }
  },
})
