/**
 * Look at personal data that pages mask: an email, a phone number, an exact place, the media of a proof, the photos of
 * a question. Who looked at what, and why, is in the audit log before anything is shown.
 *
 *   called by   an operator with the right `look`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { appendAudit } from '../operators/audit.ts'
import { nothingToShow } from './errors.ts'
import { LookValue, readMasked } from './masked-data.ts'
import { ObjectId } from './objects/object.ts'
import { LookWhat } from './views.ts'

const REASON_MAX = 200

export const look = deskOperation({
  method: 'POST',
  path: '/looks',
  name: 'look',
  right: 'look',
  summary: 'Look at personal data, with a reason that is logged',
  body: z.object({
    subject: ObjectId,
    what: LookWhat,
    reason: z.string().trim().min(3).max(REASON_MAX),
  }),
  success: {
    status: 200,
    body: z.object({ look: z.object({ what: LookWhat, value: LookValue }) }),
  },
  errors: [nothingToShow],

  async handler({ background, body: { subject, what, reason }, operator, now }) {
    const value = await readMasked({ background, subject, what, now })
    if (value === undefined) throw nothingToShow()
    await background.db.shards.global.transaction((tx) =>
      appendAudit(tx, { operator, action: `look.${what}`, subject, words: reason }, { now }),
    )
    return { look: { what, value } }
  },
})
