/**
 * Show one decision, and what it would do now if it still waits.
 *
 *   called by   an operator
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { ApiError } from '../kit/errors.ts'
import { decisionNotFound } from './errors.ts'
import { DECISION_KINDS } from './kinds.ts'
import { findDecision, namesOf } from './queries.ts'
import { canUndo } from './undo.ts'
import { DecisionView, EffectView, viewDecision } from './views.ts'

export const getDecision = deskOperation({
  method: 'GET',
  path: '/decisions/:id',
  name: 'getDecision',
  right: 'view',
  summary: 'One decision, with its effect if it still waits',
  params: z.object({ id: z.string() }),
  success: {
    status: 200,
    body: z.object({
      decision: DecisionView,
      effect: EffectView.nullable().describe('Null if it no longer waits, or can’t be made now'),
    }),
  },
  errors: [decisionNotFound],

  async handler({ background, params }) {
    const { shards } = background.db
    const { row, kind } = await findDecision(shards, DECISION_KINDS, params.id)
    const names = await namesOf(shards.global.reader, [row])
    const input: unknown = row.state === 'waiting' ? kind.input.parse(row.input) : undefined
    const effect =
      input === undefined
        ? null
        : await kind
            .preview(background, { subject: row.subject, input })
            .catch((error: unknown) => {
              if (error instanceof ApiError) return null
              throw error
            })
    return { decision: viewDecision({ row, kind, names, canUndo: canUndo(kind, row) }), effect }
  },
})
