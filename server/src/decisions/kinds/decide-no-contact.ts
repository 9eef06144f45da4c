/**
 * Decide on a request not to be contacted.
 *
 *   called by   an operator with the right `rule`
 *   moves       see targets/decide-no-contact.ts
 *   money       none
 *   event       no_contact.answered (ours)
 */
import { z } from 'zod'
import {
  canDecide,
  decideNoContact as decide,
  findNoContactRow,
  PROTECTED_DAYS,
} from '../../targets/decide-no-contact.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const decideNoContact = decision({
  kind: 'no_contact.decide',
  right: 'rule',
  title: 'Decide on a request not to be contacted',
  input: z.object({ verdict: z.enum(['confirmed', 'declined']) }),
  home: () => 'global',

  async preview({ db }, { subject, input: { verdict } }) {
    const row = await findNoContactRow(db.shards.global.reader, subject)
    if (row === undefined || !canDecide(row, verdict)) throw nothingToDecide(subject)
    return {
      ...NO_EFFECT,
      changes: [
        verdict === 'confirmed'
          ? `Tasks with this target are refused for ${PROTECTED_DAYS / 365} years`
          : 'Tasks with this target are possible',
        row.email === null
          ? 'The person gave no email address, so nobody is told'
          : 'The person gets the decision and your reason by email',
      ],
      undo: verdict === 'confirmed' ? 'Decline it' : null,
    }
  },

  async carryOut({ db, clock }, { subject, input: { verdict }, reason }) {
    const decided = await db.shards.global.transaction((tx) =>
      decide(tx, { id: subject, verdict, note: reason, now: clock.now() }),
    )
    if (decided === undefined) throw nothingToDecide(subject)
    return decided
  },

  findDone: ({ db }, { subject, input: { verdict }, since }) =>
    db.shards.global.reader
      .selectFrom('do_not_contact')
      .select(['id', 'kind', 'state', 'due_at'])
      .where('id', '=', subject)
      .where('state', '=', verdict)
      .where('decided_at', '>=', since)
      .executeTakeFirst(),
})

const nothingToDecide = (subject: string) =>
  decisionRefused({ why: `There is no open request ${subject}` })
