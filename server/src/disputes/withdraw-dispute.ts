/**
 * Withdraw a dispute: the work is paid after all, as if it had been approved.
 *
 *   called by   the agent that disputed, within 30 days. Withdrawing again returns the same response
 *   moves       disputed → completed; if only single proofs were disputed, the task doesn't change. If the dispute is
 *               held: proof_submitted → completed, or for single proofs the task awaits its verdict again
 *   money       held: as in tasks/approve.ts. Otherwise protection fund → workers, wallet → protection fund; a
 *               shortfall in the wallet becomes a debt. A free task costs the agent nothing
 *   event       task.dispute_resolved; if the dispute was held, also task.completed
 */
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { idOf } from '../kit/ids.ts'
import {
  appealsOf,
  disputesOf,
  DisputeView,
  effectiveAt,
  viewDispute,
} from '../tasks/dispute-view.ts'
import { invalidState, stateOf, taskNotFound } from '../tasks/errors.ts'
import { lockWork, type OwnTask } from '../tasks/queries.ts'
import { TaskId, TaskView, viewTask } from '../tasks/view.ts'
import { withdrawTooLate } from './errors.ts'
import { endHeldDispute } from './held-disputes.ts'
import { resolveDispute, type Resolved } from './rulings.ts'

const DAY_MS = 86_400_000

export const withdrawDispute = endpoint({
  method: 'POST',
  path: '/tasks/:id/dispute/withdraw',
  name: 'withdrawDispute',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Withdraw a dispute and pay for the work',
  description:
    'The worker is paid as if you had approved, and your wallet is debited; you owe whatever ' +
    'it can’t cover. You can also withdraw a dispute that is still held: the budget is still ' +
    'in escrow and pays the worker.',
  params: z.object({ id: TaskId }),
  body: z.object({
    dispute_id: idOf('dsp', 'a dispute')
      .optional()
      .describe('If there were several; by default the last one'),
  }),
  success: { status: 200, body: z.object({ task: TaskView, dispute: DisputeView }) },
  errors: [taskNotFound, invalidState, withdrawTooLate],

  async handler({ tx, agent, params, body, config, now }) {
    const { task, dispute, appeals } = await withdrawOwnDispute(tx, {
      taskId: params.id,
      agentId: agent.id,
      visibleKeyId: agent.visibleKeyId,
      disputeId: body.dispute_id,
      config,
      now,
    })
    return { task: viewTask(task), dispute: viewDispute(dispute, appeals) }
  },
})

interface WithdrawDispute extends OwnTask {
  disputeId: string | undefined
  config: Pick<Config, 'DISPUTE_WITHDRAW_DAYS' | 'NOT_POSSIBLE_PERCENT'>
  now: Date
}

export async function withdrawOwnDispute(
  tx: Tx,
  { taskId, agentId, visibleKeyId, disputeId, config, now }: WithdrawDispute,
): Promise<Resolved> {
  const { task, assignments } = await lockWork(tx, { taskId, agentId, visibleKeyId })
  const disputes = await disputesOf(tx, task)
  const dispute = disputes.find(({ id }) => disputeId === undefined || id === disputeId)
  if (dispute === undefined)
    throw disputeId === undefined
      ? invalidState(stateOf(task))
      : invalidField('dispute_id', 'must be a dispute of this task')
  const appeals = await appealsOf(tx, task)
  if (dispute.status === 'withdrawn') return { task, dispute, appeals }
  if (dispute.status === 'held') {
    const held = { task, assignments, dispute }
    const how = { status: 'withdrawn', by: 'agent', config, now } as const
    return { ...(await endHeldDispute(tx, held, how)), appeals }
  }

  // An operator's ruling is final, so a withdrawal doesn't change it.
  const isRuled = (assignmentId: string) =>
    appeals.some(
      (appeal) =>
        appeal.dispute_id === dispute.id &&
        appeal.assignment_id === assignmentId &&
        appeal.ruling !== null,
    )
  const slots = assignments.filter(
    ({ id, status }) =>
      status === 'disputed' && dispute.assignment_ids.includes(id) && !isRuled(id),
  )
  if (slots.length === 0) throw invalidState(stateOf(task))
  const until = new Date(effectiveAt(dispute).getTime() + config.DISPUTE_WITHDRAW_DAYS * DAY_MS)
  if (now >= until) throw withdrawTooLate({ withdraw_until: until.toISOString() })

  return resolveDispute(
    tx,
    {
      task,
      dispute,
      slots,
      ruling: 'withdrawn',
      by: 'agent',
      note: 'The agent withdrew its dispute.',
    },
    { config, now },
  )
}
