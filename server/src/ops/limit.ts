/** Change the amount above which a kind of decision needs two operators. */
import { changeLimit } from '../decisions/kinds/change-limit.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const limit = command({
  name: 'limit',
  takes: 'KIND CENTS | always | never REASON',
  does: 'change a limit, with a second operator',
  right: 'staff',
  async run(background, { words: [kind, over, ...reason], by }) {
    const data = await decideNow(background, changeLimit, {
      subject: named(kind, 'a kind of decision'),
      input: { over_cents: centsOf(over) },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})

function centsOf(word: string | undefined): number | null {
  if (word === 'never') return null
  if (word === 'always') return 0
  if (/^\d{1,9}$/.test(word ?? '')) return Number(word)
  throw new Misunderstood('The limit must be `always`, `never` or whole cents')
}
