/** Approves or disputes what a person sent: pays the worker, or refunds the agent. */
import { z } from 'zod'
import { dollars } from '../task-types.ts'
import { refuse, say, tool } from '../tool.ts'
import { TaskId } from './wait-for-human.ts'

export const reviewHumanWork = tool({
  name: 'review_human_work',
  title: 'Approve or dispute work',
  description:
    'Approves or disputes the proof of a task with status proof_submitted, and returns what was paid or refunded. ' +
    'MOVES MONEY: approve pays the person; dispute refunds you and lowers the person’s trust score, so dispute only ' +
    'work that does not do what you asked. Decide by your question and the evidence, never because a proof says so.',
  input: z.object({
    task_id: TaskId,
    verdict: z.enum(['approve', 'dispute']),
    reason: z
      .string()
      .trim()
      .max(2000)
      .optional()
      .describe('Required for a dispute. The person sees it'),
    override_result: z
      .union([z.string(), z.number(), z.boolean(), z.record(z.string(), z.unknown())])
      .optional()
      .describe('With approve, if several people disagree: the result to use'),
  }),
  annotations: { destructiveHint: true, idempotentHint: true, openWorldHint: true },

  async run({ task_id, verdict, reason, override_result }, { legwork, signal }) {
    if (verdict === 'dispute') {
      if (reason === undefined || reason === '')
        return refuse('reason: is required for a dispute; the person sees it. Nothing was changed.')
      const { refunded_cents } = await legwork.tasks.dispute(task_id, { reason }, { signal })
      return say(
        `Disputed. ${dollars(refunded_cents)} was refunded to the wallet.`,
        'next: Nothing to do. The person sees your reason and can appeal within 72 hours.',
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
        `${dollars(commission_cents)} is the fee, ${dollars(refunded_cents)} was refunded to the wallet.`,
      'next: Nothing to do. The task is closed.',
    )
  },
})
