/**
 * Change the limit above which a kind of decision needs two operators.
 *
 *   called by   an operator with the right `staff`
 *   moves       a limit
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { formatCents } from '../../kit/money.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'
import { copyLimits } from '../limits.ts'

const CENTS_MAX = 100_000_000

/** The subject is the kind that is limited. */
export const changeLimit = decision({
  kind: 'limit.change',
  right: 'staff',
  title: 'Change a limit for two operators',
  /** 0: always two operators; null: never. */
  input: z.object({ over_cents: z.int().min(0).max(CENTS_MAX).nullable() }),
  home: () => 'global',

  async preview({ db }, { subject: kind, input: { over_cents } }) {
    const limit = await db.shards.global.reader
      .selectFrom('two_person_limits')
      .select('over_cents')
      .where('kind', '=', kind)
      .executeTakeFirst()
    if (limit === undefined) throw noLimit(kind)
    if (kind === 'limit.change')
      throw decisionRefused({ why: 'Two operators always change the limits' })
    return {
      ...NO_EFFECT,
      changes: [
        `${kind} needs two operators ${inWords(over_cents)}; so far ${inWords(limit.over_cents)}`,
      ],
      undo: `Set it back to ${limit.over_cents ?? 'never'}`,
    }
  },

  async carryOut({ db, clock }, { subject: kind, input: { over_cents }, operator }) {
    const { numUpdatedRows } = await db.shards.global.transaction((tx) =>
      tx
        .updateTable('two_person_limits')
        .set({ over_cents, changed_by: operator, changed_at: clock.now() })
        .where('kind', '=', kind)
        .executeTakeFirst(),
    )
    if (numUpdatedRows === 0n) throw noLimit(kind)
    await copyLimits(db.shards)
    return { kind, over_cents }
  },
})

const noLimit = (kind: string) => decisionRefused({ why: `${kind} has no limit` })

const inWords = (cents: number | null) =>
  cents === null ? 'never' : cents === 0 ? 'always' : `above ${formatCents(cents)}`
