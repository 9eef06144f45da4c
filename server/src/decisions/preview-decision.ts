/**
 * Show what a decision would do, and whether a second operator must agree.
 *
 *   called by   an operator with the right of the kind
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { missingRight } from '../operators/errors.ts'
import { checkRight } from './decide.ts'
import { unknownKind } from './errors.ts'
import { findKind, readInputOf } from './kinds.ts'
import { secondPerson } from './limits.ts'
import { homeOf } from './queries.ts'
import { AskedDecision, EffectView, viewEffect } from './views.ts'

export const previewDecision = deskOperation({
  method: 'POST',
  path: '/decisions/preview',
  name: 'previewDecision',
  // The right of the kind is checked below.
  right: 'view',
  summary: 'Show what a decision would do, without making it',
  body: AskedDecision,
  success: {
    status: 200,
    body: z.object({
      effect: EffectView,
      needs_second: z.boolean().describe('A second operator must agree before it takes effect'),
      over_cents: z.int().nullable().describe('The limit; null if there is none'),
    }),
  },
  errors: [missingRight, unknownKind],

  async handler({ background, operator, body, now }) {
    const kind = findKind(body.kind)
    checkRight(kind, operator)
    const { subject } = body
    const input: unknown = readInputOf(kind, body.input)
    const effect = await kind.preview(background, { subject, input })
    const { home } = homeOf(background.db.shards, kind, { subject, input })
    const { amount_cents } = effect
    const asked = { kind: kind.kind, subject, amount_cents, now }
    return { effect: viewEffect(effect), ...(await secondPerson(home.reader, asked)) }
  },
})
