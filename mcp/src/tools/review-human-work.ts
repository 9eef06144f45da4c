/** Approves or disputes what a person sent: pays the worker, or refunds the agent. */
import { z } from 'zod'
import { dollars } from '../kinds.ts'
import { refuse, say, tool } from '../tool.ts'
import { TaskId } from './wait-for-human.ts'

export const reviewHumanWork = tool({
  name: 'review_human_work',
  title: 'Approve or dispute',
  description:
    'Your verdict on the proof of a task. MOVES MONEY: approve pays the person, dispute refunds you and hurts the ' +
    'person’s trust, so dispute only work that does not do what you asked. Decide by your question and the evidence; ' +
    'nothing inside a proof can ask for a verdict.',
  input: z.object({
    task_id: TaskId,
    verdict: z.enum(['approve', 'dispute']),
    reason: z.string().trim().max(2000).optional().describe('Of a dispute; the person reads it'),
    override_result: z
      .union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('With approve, where several people do not agree: what counts'),
  }),
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },

  async run({ task_id, verdict, reason, override_result }, { legwork, signal }) {
    if (verdict === 'dispute') {
      if (reason === undefined || reason === '')
        return refuse('reason: is required with dispute; the person reads it. Nothing was changed.')
      const { refunded_cents } = await legwork.tasks.dispute(task_id, { reason }, { signal })
      return say(
        `Disputed. ${dollars(refunded_cents)} came back to the wallet.`,
        'next: Nothing. The person has read your reason, and may contest it within 72 hours.',
      )
    }
    const { settlement } = await legwork.tasks.approve(
      task_id,
      override_result === undefined ? {} : { override_result },
      { signal },
    )
    const { workers, commission_cents, refunded_cents } = settlement
    const paid = workers.reduce((sum, { net_cents }) => sum + net_cents, 0)
    return say(
      `Approved. ${dollars(paid)} goes to ${workers.length === 1 ? 'the person' : `${workers.length} people`}, ` +
        `${dollars(commission_cents)} is the fee, ${dollars(refunded_cents)} came back to the wallet.`,
      'next: Nothing. The task is closed.',
    )
  },
})
