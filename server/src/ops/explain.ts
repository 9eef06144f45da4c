/** Record an explanation for a reconciliation break. */
import { explainBreak } from '../reconcile/breaks.ts'
import { command, CommandRefused, Misunderstood, sentenceOf } from './command.ts'

export const explain = command({
  name: 'explain',
  takes: 'BREAK WORDS',
  does: 'say what a break is, so that it alarms nobody any more',
  async run({ db }, { words: [number, ...words], operator }) {
    const breakId = Number(number?.replace('#', ''))
    if (!Number.isSafeInteger(breakId)) throw new Misunderstood('Name a break by its number')
    const explained = await db.transaction((tx) =>
      explainBreak(tx, { breakId, words: sentenceOf(words, 'an explanation'), operator }),
    )
    if (explained === undefined) throw new CommandRefused(`There is no open break ${breakId}`)
    const { kind, subject, amount_cents } = explained
    return { data: { id: breakId, kind, subject, amount_cents } }
  },
})
