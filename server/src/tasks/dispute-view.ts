import type { Selectable } from 'kysely'
import { z } from 'zod'
import type { Schema } from '../kit/schema.ts'

export type Dispute = Selectable<Schema['disputes']>

export const DisputeView = z.object({
  id: z.string(),
  status: z
    .enum(['open', 'held', 'withdrawn', 'upheld', 'overturned', 'split'])
    .describe('`held`: an operator looks before anything happens'),
  reason: z.string(),
  category: z.string().nullable(),
  criteria: z.array(z.string()),
  assignment_ids: z.array(z.string()),
  refunded_cents: z.int(),
  created_at: z.iso.datetime(),
  resolved_at: z.iso.datetime().nullable(),
})

export function viewDispute(
  dispute: Omit<Dispute, 'task_id' | 'agent_id' | 'touches_trust'>,
): z.output<typeof DisputeView> {
  return {
    id: dispute.id,
    status: dispute.status as z.output<typeof DisputeView>['status'],
    reason: dispute.reason,
    category: dispute.category,
    criteria: dispute.criteria,
    assignment_ids: dispute.assignment_ids,
    refunded_cents: dispute.refunded_cents,
    created_at: dispute.created_at.toISOString(),
    resolved_at: dispute.resolved_at?.toISOString() ?? null,
  }
}
