/**
 * Withdraw the own decision while it waits for a second operator. The matter is open again.
 *
 *   called by   the operator who proposed it
 *   moves       a decision: waiting → withdrawn
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { endDecision } from './end-decision.ts'
import { decisionNotFound, decisionNotWaiting, notYourDecision } from './errors.ts'
import { DECISION_KINDS } from './kinds.ts'
import { noteDecision } from './note-decision.ts'
import { findDecision } from './queries.ts'

export const withdrawDecision = deskOperation({
  method: 'POST',
  path: '/decisions/:id/withdraw',
  name: 'withdrawDecision',
  // Only the operator who proposed it can.
  right: 'view',
  summary: 'Withdraw your own decision while it waits',
  params: z.object({ id: z.string() }),
  body: z.object({}),
  success: { status: 200, body: z.object({ state: z.literal('withdrawn') }) },
  errors: [decisionNotFound, decisionNotWaiting, notYourDecision],

  async handler({ background, operator, params, now }) {
    const { row, kind, home } = await findDecision(background.db.shards, DECISION_KINDS, params.id)
    if (row.proposed_by !== operator.id) throw notYourDecision()
    if (row.state !== 'waiting') throw decisionNotWaiting({ state: row.state })
    await endDecision(home, row, { state: 'withdrawn', ended_at: now })
    await noteDecision(background, operator, { action: `${kind.kind}.withdraw`, row })
    return { state: 'withdrawn' as const }
  },
})
