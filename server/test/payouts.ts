import assert from 'node:assert/strict'
import type { TaskView } from '../src/tasks/view.ts'
import { type Marketplace, proofFor, type TestWorker } from './harness.ts'

type Agent = Pick<ReturnType<Marketplace['client']>, 'post' | 'get'>

/** A task that these workers have done and the agent has approved; the resulting events are still in the outbox. */
export async function completedBy(
  agent: Agent,
  workers: TestWorker[],
  fields: Record<string, unknown> = {},
  proof: Record<string, unknown> = {},
): Promise<TaskView> {
  const created = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 1000,
    consensus_count: workers.length,
    ...fields,
  })
  assert.equal(created.status, 201, created.text)
  const task = created.body.task as TaskView
  for (const worker of workers) {
    const accepted = await worker.post(`/worker/tasks/${task.id}/accept`)
    assert.equal(accepted.status, 200, accepted.text)
  }
  for (const worker of workers) {
    const proven = await worker.post(`/worker/tasks/${task.id}/proof`, {
      ...proofFor(task),
      ...proof,
    })
    assert.equal(proven.status, 201, proven.text)
  }
  const approved = await agent.post(`/tasks/${task.id}/approve`)
  assert.equal(approved.status, 200, approved.text)
  return task
}

/** A worker whom the processor has verified, and who can accept any task. */
export async function payableWorker(market: Marketplace) {
  const worker = await market.worker({ approvals: 100 })
  return Object.assign(worker, { accountId: await market.onboard(worker) })
}

/** A payout that is requested but not sent: its job is removed from the outbox, so the test can send it. */
export async function requestedPayout(market: Marketplace, { budgetCents = 1000 } = {}) {
  const worker = await payableWorker(market)
  const agent = await market.agent({ balanceCents: budgetCents, freeTasks: false })
  const task = await completedBy(agent, [worker], { budget_cents: budgetCents })
  const { body } = await agent.post(`/tasks/${task.id}/payout`)
  assert.equal(body.payouts[0].status, 'pending')
  await market.events()
  return { id: body.payouts[0].id as string, agent, task, worker, accountId: worker.accountId }
}

export function payoutOf(market: Marketplace, id: string) {
  return market.db.reader
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
}

export function payoutsOfTask(market: Marketplace, taskId: string) {
  return market.db.reader
    .selectFrom('payouts')
    .selectAll()
    .where('task_id', '=', taskId)
    .orderBy('id')
    .execute()
}

/** The processor's transfers for a task. */
export async function transfersOf(market: Marketplace, taskId: string) {
  const { data } = await market.sandbox.control('GET', 'objects/transfer')
  return (
    data as { id: string; transfer_group: string; amount: number; destination: string }[]
  ).filter(({ transfer_group }) => transfer_group === taskId)
}

export async function inTransit(market: Marketplace, payoutId: string): Promise<number> {
  const row = await market.db.reader
    .selectFrom('ledger_transits')
    .select('in_transit_cents')
    .where('ref_id', '=', payoutId)
    .executeTakeFirst()
  return row?.in_transit_cents ?? 0
}

export const switchPayouts = (market: Marketplace, isOn: boolean) =>
  market.asOwner(`update platform_switches set is_on = $1 where name = 'payouts'`, [isOn])
