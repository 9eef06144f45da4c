import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { sql } from 'kysely'
import { mintId, shardOf } from '../src/kit/ids.ts'
import { COMMISSION_BASIS_POINTS } from '../src/kit/money.ts'
import { OF_TASKS } from '../src/ledger/invariants.ts'
import { createInBatch } from '../src/tasks/creations.ts'
import { draftTask } from '../src/tasks/draft.ts'
import type { TaskInput } from '../src/tasks/fields.ts'
import { marketplace } from './harness.ts'

const market = await marketplace()

const OTHER_BASIS_POINTS = 2500
const AUDITED =
  OF_TASKS['the commission is the task’s own rate of what was released, rounded down']!

type Agent = Awaited<ReturnType<typeof market.agent>>

const richAgent = () => market.agent({ balanceCents: 100_000, freeTasks: false })

/** Creates a task as a server with a different commission constant would. */
async function createAt(
  commissionBasisPoints: number,
  agent: Agent,
  fields: Partial<TaskInput> = {},
): Promise<string> {
  const now = market.now()
  const taskId = mintId('task', now, shardOf(agent.id))
  const input = { description: 'Look', budget_cents: 1000, ...fields }
  const caller = { id: agent.id, mode: 'live' as const }
  const { outcome } = await createInBatch(market.at(agent.id), market.server.config, {
    taskId,
    keyId: 'key',
    draft: draftTask(input, { agent: caller, now, warn: () => {}, commissionBasisPoints }),
    mayBeFree: false,
    claim: undefined,
    render: () => '',
  })
  assert.equal(outcome, 'created')
  return taskId
}

async function takePart(taskId: string, { isProved = true } = {}) {
  const worker = await market.worker({ approvals: 100 })
  const accepted = await worker.post(`/worker/tasks/${taskId}/accept`)
  assert(accepted.status < 300, accepted.text)
  if (isProved) {
    const proof = await worker.post(`/worker/tasks/${taskId}/proof`, { text: 'I looked' })
    assert.equal(proof.status, 201, proof.text)
  }
  return { worker, assignment: accepted.body.assignment as { pay_cents: number } }
}

const storedRate = async (taskId: string) =>
  (await market.asOwner('select commission_basis_points from tasks where id = $1', [taskId]))[0]!
    .commission_basis_points

/** The tasks that would break the audit's rule if it checked every task against this rate. */
async function brokenAt(basisPoints: number, taskIds: string[]): Promise<string[]> {
  const query = AUDITED.replace('t.commission_basis_points', String(basisPoints))
  assert.notEqual(query, AUDITED)
  const { rows } = await sql<{ key: string }>`${sql.raw(query)}`.execute(market.db.reader)
  return taskIds.filter((taskId) => rows.some(({ key }) => key === `task:${taskId}:settle`))
}

describe('the commission rate of a task', () => {
  test('is fixed at creation, and tasks at different rates settle side by side', async () => {
    const agent = await richAgent()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    const before = body.task.id as string
    const after = await createAt(OTHER_BASIS_POINTS, agent)
    const [first, second] = [await takePart(before), await takePart(after)]

    const approvals = [
      await agent.post(`/tasks/${before}/approve`),
      await agent.post(`/tasks/${after}/approve`),
    ]

    assert.deepEqual(
      [await storedRate(before), await storedRate(after)],
      [COMMISSION_BASIS_POINTS, OTHER_BASIS_POINTS],
    )
    assert.deepEqual([first.assignment.pay_cents, second.assignment.pay_cents], [820, 750])
    assert.deepEqual(
      approvals.map(({ body: { settlement, task } }) => [
        settlement.commission_cents,
        settlement.workers[0].net_cents,
        task.worker_pay_cents,
      ]),
      [
        [180, 820, 820],
        [250, 750, 750],
      ],
    )
    assert.deepEqual(
      [await market.payable(first.worker.id), await market.payable(second.worker.id)],
      [820, 750],
    )
    assert.deepEqual(await market.audit(), [])
    // Control: an audit with one rate for all tasks reports the tasks of the other rate, whichever one it uses.
    const tasks = [before, after]
    assert.deepEqual(await brokenAt(COMMISSION_BASIS_POINTS, tasks), [after])
    assert.deepEqual(await brokenAt(OTHER_BASIS_POINTS, tasks), [before])
  })

  test('applies to a proof in a cancellation, and to a withdrawn dispute', async () => {
    const agent = await richAgent()
    const cancelled = await createAt(OTHER_BASIS_POINTS, agent, { consensus_count: 2 })
    const disputed = await createAt(OTHER_BASIS_POINTS, agent)
    const proved = await takePart(cancelled)
    const refused = await takePart(disputed)

    const cancellation = await agent.post(`/tasks/${cancelled}/cancel`)
    await agent.post(`/tasks/${disputed}/dispute`, { reason: 'The picture shows another shop.' })
    const withdrawal = await agent.post(`/tasks/${disputed}/dispute/withdraw`, {})

    assert.equal(cancellation.status, 200, cancellation.text)
    assert.equal(cancellation.body.refunded_cents, 500)
    const [settled] = await market.asOwner(
      `select amount_cents::int from transfers where key = $1 and credit = 'rev:commission'`,
      [`task:${cancelled}:settle`],
    )
    assert.equal(settled!.amount_cents, 125)
    assert.equal(withdrawal.status, 200, withdrawal.text)
    assert.equal(await market.payable(proved.worker.id), 375)
    assert.equal(await market.payable(refused.worker.id), 750)
    assert.deepEqual(await market.audit(), [])
  })

  test('cannot be changed by the server, and is at most 100%', async () => {
    const agent = await richAgent()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
    const taskId = body.task.id as string
    const asApp = market
      .at(taskId)
      .transaction((tx) =>
        tx
          .updateTable('tasks')
          .set({ commission_basis_points: 0 })
          .where('id', '=', taskId)
          .where('agent_id', '=', agent.id)
          .execute(),
      )

    await assert.rejects(asApp, /permission denied/)
    await assert.rejects(
      market.asOwner('update tasks set commission_basis_points = 10001 where id = $1', [taskId]),
      /tasks_commission_basis_points/,
    )
    assert.equal(await storedRate(taskId), COMMISSION_BASIS_POINTS)
  })
})
