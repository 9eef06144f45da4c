/**
 * Decline a colleague's decision. The matter is open again.
 *
 *   called by   an operator with the right of the kind, who did not propose it
 *   moves       a decision: waiting → declined
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import type { OperatorBackground } from '../kit/operator-background.ts'
import { missingRight } from '../operators/errors.ts'
import { checkSecond } from './agree.ts'
import type { AnyDecisionKind, By } from './decision.ts'
import { endDecision } from './end-decision.ts'
import { decisionNotFound, decisionNotWaiting, ownDecision } from './errors.ts'
import { DECISION_KINDS } from './kinds.ts'
import { noteDecision } from './note-decision.ts'
import { findDecision } from './queries.ts'
import { Reason } from './views.ts'

export const declineDecision = deskOperation({
  method: 'POST',
  path: '/decisions/:id/decline',
  name: 'declineDecision',
  // The right of the kind is checked in `decline`.
  right: 'view',
  summary: 'Decline a colleague’s decision',
  params: z.object({ id: z.string() }),
  body: z.object({ reason: Reason }),
  success: { status: 200, body: z.object({ state: z.literal('declined') }) },
  errors: [decisionNotFound, decisionNotWaiting, missingRight, ownDecision],

  async handler({ background, operator, params: { id }, body: { reason } }) {
    await decline(background, DECISION_KINDS, { decisionId: id, by: operator, reason })
    return { state: 'declined' as const }
  },
})

export async function decline(
  background: OperatorBackground,
  kinds: readonly AnyDecisionKind[],
  { decisionId, by, reason }: { decisionId: string; by: By; reason: string },
): Promise<void> {
  const found = await findDecision(background.db.shards, kinds, decisionId)
  const now = background.clock.now()
  checkSecond(found, by, now)
  const { row, kind, home } = found
  const declined = { second_by: by.id, second_at: now, ended_at: now }
  await endDecision(home, row, { state: 'declined', ...declined })
  await noteDecision(background, by, { action: `${kind.kind}.decline`, row, words: reason })
}
