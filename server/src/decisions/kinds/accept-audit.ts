/**
 * Accept the ledger lines of a day that were changed after an audit, once it is known why.
 *
 *   called by   an operator with the right `operate`
 *   moves       the break ends; the next round compares with the lines as they are now
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { acceptDay, openBreaks } from '../../ledger/audit-state.ts'
import { UNCHANGED } from '../../ledger/invariants.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const acceptAudit = decision({
  kind: 'audit.accept',
  right: 'operate',
  title: 'Accept changed ledger lines of a day',
  input: z.object({}),
  home: () => 'global',

  async preview({ db }, { subject: day }) {
    const open = (await Promise.all(db.shards.readers.map(openBreaks))).flat()
    if (!open.some(({ invariant, subject }) => invariant === UNCHANGED && subject === day))
      throw noBreak(day)
    return {
      ...NO_EFFECT,
      changes: [`The lines of ${day} count as right; the next audit compares with them`],
    }
  },

  async carryOut(background, { subject: day }) {
    if (!(await acceptDay(background, day))) throw noBreak(day)
    return { day }
  },

  async findDone({ db }, { subject: day, since }) {
    const ended = await Promise.all(
      db.shards.readers.map((reader) =>
        reader
          .selectFrom('ledger_breaks')
          .select('subject')
          .where('invariant', '=', UNCHANGED)
          .where('subject', '=', day)
          .where('ended_at', '>=', since)
          .executeTakeFirst(),
      ),
    )
    return ended.some((row) => row !== undefined) ? { day } : undefined
  },
})

const noBreak = (day: string) =>
  decisionRefused({ why: `There is no open break about the lines of ${day}` })
