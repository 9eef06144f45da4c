/**
 * Explain a difference between our books and the processor's, so that it no longer raises an alert.
 *
 *   called by   an operator with the right `pay`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { explainBreak as explain, findOpenBreak } from '../../reconcile/breaks.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const explainBreak = decision({
  kind: 'break.explain',
  right: 'pay',
  title: 'Explain a break',
  input: z.object({}),
  home: () => 'global',

  async preview({ db }, { subject }) {
    const id = numberOf(subject)
    if ((await findOpenBreak(db.shards.global.reader, id)) === undefined) throw noBreak(subject)
    return {
      ...NO_EFFECT,
      changes: [
        'The break stays open until the difference is gone, and raises no alert meanwhile',
        'If its amount changes, it raises an alert again',
      ],
      undo: 'Explain it again with other words',
    }
  },

  async carryOut({ db }, { subject, reason, operator }) {
    const breakId = numberOf(subject)
    const explained = await db.shards.global.transaction((tx) =>
      explain(tx, { breakId, words: reason, operator }),
    )
    if (explained === undefined) throw noBreak(subject)
    const { kind, subject: about, amount_cents } = explained
    return { id: breakId, kind, subject: about, amount_cents }
  },
})

/** `break_12`, `#12` and `12` are the same. */
function numberOf(subject: string): number {
  const id = Number(/^(?:break_|#)?(\d{1,15})$/.exec(subject)?.[1])
  if (!Number.isSafeInteger(id)) throw noBreak(subject)
  return id
}

const noBreak = (subject: string) => decisionRefused({ why: `There is no open break ${subject}` })
