/**
 * Undo a decision by the decision that is its opposite, such as reinstating a suspended worker.
 *
 *   called by   an operator with the right of the opposite decision
 *   moves       as the opposite decision does
 *   money       as the opposite decision does
 *   event       as the opposite decision does
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { missingRight } from '../operators/errors.ts'
import { checkRight, decide } from './decide.ts'
import type { AnyDecisionKind, Undoing } from './decision.ts'
import {
  cannotUndo,
  decisionMade,
  decisionNotFound,
  decisionWaits,
  requestKeyTaken,
} from './errors.ts'
import { DECISION_KINDS, findKind, readInputOf } from './kinds.ts'
import { type DecisionRow, findDecision } from './queries.ts'
import { MadeView, Reason } from './views.ts'

export const undoDecision = deskOperation({
  method: 'POST',
  path: '/decisions/:id/undo',
  name: 'undoDecision',
  // The right of the opposite decision is checked below.
  right: 'view',
  summary: 'Make the decision that undoes this one',
  params: z.object({ id: z.string() }),
  body: z.object({ reason: Reason, request_key: z.string().min(8).max(100) }),
  success: { status: 201, body: z.object({ decision: MadeView }) },
  errors: [
    cannotUndo,
    decisionMade,
    decisionNotFound,
    decisionWaits,
    missingRight,
    requestKeyTaken,
  ],

  async handler({ background, operator, params, body }) {
    const { row, kind } = await findDecision(background.db.shards, DECISION_KINDS, params.id)
    const undoing = undoingOf(kind, row)
    if (undoing === undefined) throw cannotUndo()
    const opposite = findKind(undoing.kind)
    checkRight(opposite, operator)
    const made = await decide(background, opposite, {
      subject: undoing.subject,
      input: readInputOf(opposite, undoing.input),
      reason: body.reason,
      by: operator,
      requestKey: `${operator.id} ${body.request_key}`,
    })
    return { decision: { ...made, expires_at: made.expires_at?.toISOString() ?? null } }
  },
})

/** Whether there is an opposite decision. Its own operation refuses it if the state has changed since. */
export const canUndo = (kind: AnyDecisionKind, row: DecisionRow): boolean =>
  undoingOf(kind, row) !== undefined

function undoingOf(kind: AnyDecisionKind, row: DecisionRow): Undoing | undefined {
  if (row.state !== 'done') return undefined
  const input: unknown = kind.input.parse(row.input)
  return kind.undo?.({ subject: row.subject, input })
}
