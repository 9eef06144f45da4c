/**
 * Pay out a completed task. Payouts also happen automatically; this opens missing ones, retries failed ones and shows
 * the status of each. It does not shorten a hold.
 *
 *   called by   the agent that owns the task; any number of times
 *   moves       a payout: (none) → held, awaiting_account or requested; a new payout replaces a failed one
 *   money       payable → in transit, unless the payout has to wait
 *   event       payout.send (ours)
 */
import { z } from 'zod'
import { answerWith, endpoint } from '../kit/endpoint.ts'
import { reached } from '../kit/crash-points.ts'
import { invalidState, stateOf, taskNotFound } from '../tasks/errors.ts'
import { findTask } from '../tasks/queries.ts'
import { TaskId } from '../tasks/view.ts'
import { openAgain, type Opening, openPayouts } from './open.ts'
import { payoutsAnywhere } from './queries.ts'
import { PayoutView, viewPayout } from './view.ts'

export const request = endpoint({
  method: 'POST',
  path: '/tasks/:id/payout',
  name: 'requestPayout',
  auth: 'agent',
  scope: 'review',
  access: { object: 'own' },
  summary: 'Pay out a completed task',
  description:
    'Payouts also start automatically; this call shows their status and retries failed ones.',
  params: z.object({ id: TaskId }),
  success: {
    status: 200,
    body: z.object({ payouts: z.array(PayoutView).describe('One for each worker who is paid') }),
  },
  errors: [taskNotFound, invalidState],

  transaction: 'own',
  async handler({ db, agent, params, config, now, warnings, recall, once }) {
    const earlier = await recall()
    if (earlier !== undefined) return earlier
    const taskId = params.id
    const refused = await assertCompleted().catch((error: unknown) =>
      // A refusal is stored under its idempotency key like any other response.
      once(async () => {
        throw error
      }),
    )
    if (refused !== undefined) return refused

    const workerIds = await openPayouts({ db, config, now }, taskId, agent.id)
    await retryFailed({ db, config, now }, { taskId, workerIds })
    const payouts = await payoutsAnywhere(db.shards, { taskId, workerIds })
    return once(async () => answerWith(200, { payouts: payouts.map(viewPayout) }, warnings))

    async function assertCompleted(): Promise<undefined> {
      const task = await findTask(db.reader, {
        taskId,
        agentId: agent.id,
        visibleKeyId: agent.visibleKeyId,
      })
      if (task.status !== 'completed') throw invalidState(stateOf(task))
    }
  },
})

async function retryFailed(
  { db, config, now }: Opening,
  of: { taskId: string; workerIds: string[] },
): Promise<void> {
  const payouts = await payoutsAnywhere(db.shards, of)
  for (const payout of payouts.filter(({ status }) => status === 'failed')) {
    const again = await db.shards
      .at(payout.id)
      .transaction((tx) => openAgain(tx, payout, { config, now }))
    if (again?.status === 'requested') reached(config, 'payout.requested')
  }
}
