/**
 * Make a decision.
 *
 *   called by   an operator with the right of the kind
 *   moves       see decide.ts
 *   money       what the kind does
 *   event       what the kind records
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { missingRight } from '../operators/errors.ts'
import { checkRight, decide } from './decide.ts'
import { decisionMade, decisionWaits, requestKeyTaken, unknownKind } from './errors.ts'
import { findKind, readInputOf } from './kinds.ts'
import { AskedDecision, MadeView, Reason } from './views.ts'

export const makeDecision = deskOperation({
  method: 'POST',
  path: '/decisions',
  name: 'makeDecision',
  // The right of the kind is checked below.
  right: 'view',
  summary: 'Make a decision; above its limit, it waits for a second operator',
  body: AskedDecision.extend({
    reason: Reason,
    request_key: z.string().min(8).max(100).describe('A retry with the same key decides once'),
  }),
  success: { status: 201, body: z.object({ decision: MadeView }) },
  errors: [decisionMade, decisionWaits, missingRight, requestKeyTaken, unknownKind],

  async handler({ background, operator, body }) {
    const kind = findKind(body.kind)
    checkRight(kind, operator)
    const made = await decide(background, kind, {
      subject: body.subject,
      input: readInputOf(kind, body.input),
      reason: body.reason,
      by: operator,
      requestKey: `${operator.id} ${body.request_key}`,
    })
    return { decision: { ...made, expires_at: made.expires_at?.toISOString() ?? null } }
  },
})
