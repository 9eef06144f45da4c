import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { HELD_AFTER_ONE, heldDispute, eventsOfTask } from '../../test/held-disputes.ts'

const HOUR = 3_600_000
const market = await marketplace()
const DAY = 86_400_000

describe('POST /tasks/:id/dispute/withdraw', () => {
  test('200: completes the task, pays the worker as an approval does, and restores trust', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    const worker = task.workers[0]!
    assert.equal(await market.balance(agent.id), 2500, 'the dispute had refunded it')
    market.advance(DAY)

    const { status, body } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    assert.equal(status, 200)
    assert.deepEqual(
      [body.task.status, body.task.status_reason, body.dispute.status, body.dispute.debited_cents],
      ['completed', 'dispute_withdrawn', 'withdrawn', 2500],
    )
    assert.equal(await market.balance(agent.id), 0)
    assert.equal(await market.payable(worker.id), 2050)
    const shown = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual(shown.settlement, {
      gross_cents: 2500,
      commission_cents: 450,
      refunded_cents: 0,
      workers: [{ worker_id: worker.id, net_cents: 2050 }],
    })
    assert.equal(shown.approved_by, 'agent')
    assert.deepEqual(
      shown.transactions.map(({ type }: { type: string }) => type),
      ['escrow_lock', 'escrow_refund', 'appeal_debit'],
    )
    assert.equal(shown.timeline.at(-1).event, 'task.dispute_resolved')
    const own = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.deepEqual(
      [own.assignment.status, own.assignment.net_cents, own.dispute.status],
      ['approved', 2050, 'withdrawn'],
    )
    const trust = (await worker.get('/worker/trust')).body
    assert.equal(trust.trust_score, 97, 'the same as after an approval')
    assert.deepEqual(trust.changes.map(({ cause }: { cause: string }) => cause).sort(), [
      'approved',
      'dispute_withdrawn',
      'disputed',
    ])
    const { stats } = (await worker.get('/worker/profile')).body.worker
    assert.deepEqual([stats.completed, stats.disputed], [101, 0])
  })

  test('a repeated request returns the same response and pays once, also eight at once', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')

    const replies = await Promise.all(
      Array.from({ length: 8 }, () => agent.post(`/tasks/${task.id}/dispute/withdraw`)),
    )

    for (const { status, body } of replies)
      assert.deepEqual([status, body.dispute], [200, replies[0]!.body.dispute])
    assert.equal(await market.balance(agent.id), 2500)
    assert.equal(await market.payable(task.workers[0]!.id), 2050)
  })

  test('the agent owes what its wallet lacks', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    await agent.post('/tasks', { description: 'Look', budget_cents: 2000 })

    await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    assert.equal(await market.balance(agent.id), -2000)
    assert.equal(await market.payable(task.workers[0]!.id), 2050)
    const refused = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    assert.equal(refused.status, 402)
  })

  test('of a free task costs the agent nothing, and the worker is paid', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000 })

    const { body } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    assert.deepEqual([body.task.funding, body.dispute.debited_cents], ['free', 0])
    assert.equal(await market.payable(task.workers[0]!.id), 820)
    const wallet = (await agent.get('/wallet')).body
    assert.deepEqual([wallet.balance_cents, wallet.free_tasks_remaining], [0, 2])
  })

  test('pays half for work that was not possible, as an approval does', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress')
    const worker = task.workers[0]!
    const proof = { text: 'The shop is closed', outcome: 'not_possible' }
    await worker.post(`/worker/tasks/${task.id}/proof`, proof)
    await agent.post(`/tasks/${task.id}/dispute`, { reason: 'No' })

    await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    assert.equal(await market.payable(worker.id), 1025)
    assert.equal(await market.balance(agent.id), 1250)
  })

  test('pays all workers of a consensus task to the cent as an approval does', async () => {
    const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed', { budget_cents: 1000, consensus_count: 3 })

    await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    const paid = []
    for (const { id } of task.workers) paid.push(await market.payable(id))
    assert.deepEqual(paid, [274, 273, 273])
    assert.equal(await market.balance(agent.id), 0)
  })

  test('for single proofs: each dispute separately, before and after the others are approved', async () => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', {
      budget_cents: 3000,
      consensus_count: 3,
    })
    const path = `/tasks/${task.id}`
    const { assignments } = (await agent.get(path)).body.task
    const ids = assignments.map(({ id }: { id: string }) => id) as string[]
    for (const id of ids.slice(0, 2))
      await agent.post(`${path}/dispute`, { reason: 'Spam', assignment_ids: [id] })
    const { disputes } = (await agent.get(path)).body.task

    const early = await agent.post(`${path}/dispute/withdraw`, { dispute_id: disputes[1].id })
    const unsettled = (await agent.get(path)).body.task
    const approved = await agent.post(`${path}/approve`)
    const late = await agent.post(`${path}/dispute/withdraw`)

    assert.equal(early.body.task.status, 'proof_submitted')
    assert.deepEqual([late.body.task.status, late.body.dispute.id], ['completed', disputes[0].id])
    for (const { id } of task.workers) assert.equal(await market.payable(id), 820)
    assert.equal(await market.balance(agent.id), 0)
    const shown = (await agent.get(path)).body.task
    assert(shown.assignments.every(({ status }: { status: string }) => status === 'approved'))
    assert.equal(unsettled.settlement, null)
    assert.deepEqual(
      [approved.body.settlement, shown.settlement].map((of) => [
        of.gross_cents,
        of.commission_cents,
        of.refunded_cents,
        of.workers.length,
      ]),
      [
        [2000, 360, 1000, 2],
        [3000, 540, 0, 3],
      ],
      'regardless of when it was withdrawn',
    )
    assert.equal((await agent.get('/stats')).body.spend.total_cents, 3000)
  })

  test('an open appeal is decided for the worker', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    const worker = task.workers[0]!
    await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })

    await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    const { dispute } = (await worker.get(`/worker/tasks/${task.id}`)).body
    assert.deepEqual(
      [dispute.status, dispute.appeal.ruling, dispute.appeal.ruling_note],
      ['withdrawn', 'overturned', 'The agent withdrew its dispute.'],
    )
    market.advance(3 * DAY)
    await market.sweep()
    assert.equal(await market.payable(worker.id), 2050, 'auto-approval does not pay again')
    const { quality } = (await agent.get('/stats')).body
    assert.equal(quality.counts.overturned, 0, 'a withdrawal does not count as overturned')
  })

  test('a concurrent appeal and withdrawal pay once', async () => {
    for (let i = 0; i < 4; i += 1) {
      const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
      const task = await market.taskIn(agent, 'disputed')
      const worker = task.workers[0]!

      const [appeal, withdrawal] = await Promise.all([
        worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' }),
        agent.post(`/tasks/${task.id}/dispute/withdraw`),
      ])

      assert.equal(withdrawal.status, 200)
      assert(appeal.status === 201 || appeal.body.code === 'not_disputed', appeal.text)
      assert.equal(await market.payable(worker.id), 2050)
      assert.equal(await market.balance(agent.id), 0)
    }
  })

  test('sends the event task.dispute_resolved, with the ruling and its slots', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    await market.events()

    const { body } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    const told = (await market.events()).filter(({ task_id }) => task_id === task.id)
    assert.deepEqual(
      told.map(({ type }) => type),
      ['task.dispute_resolved'],
    )
    const { assignments } = (await agent.get(`/tasks/${task.id}`)).body.task
    assert.deepEqual(told[0]!.data, {
      task: body.task,
      dispute: body.dispute,
      ruling: 'withdrawn',
      assignments,
    })
  })

  test('opens a payout, like any earning', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    await market.work()

    const { payouts } = (await agent.post(`/tasks/${task.id}/payout`)).body
    assert.deepEqual(
      payouts.map((payout: Record<string, unknown>) => [
        payout.worker_id,
        payout.amount_cents,
        payout.status,
      ]),
      [[task.workers[0]!.id, 2050, 'awaiting_account']],
    )
  })

  test('while the share is still in escrow, a debt does not delay the worker: the share repays it', async () => {
    const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', {
      budget_cents: 2000,
      consensus_count: 2,
    })
    const path = `/tasks/${task.id}`
    const [first] = (await agent.get(path)).body.task.assignments
    await agent.post(`${path}/dispute`, { reason: 'Spam', assignment_ids: [first.id] })

    await agent.post(`${path}/dispute/withdraw`)
    await market.work()

    assert.equal(await market.balance(agent.id), -1000)
    const { payouts } = (await task.workers[0]!.get('/worker/payouts')).body
    assert.deepEqual([payouts[0].amount_cents, payouts[0].status], [820, 'awaiting_account'])
    await agent.post(`${path}/approve`)
    assert.equal(await market.balance(agent.id), 0)
  })

  test('for a single proof: the withdrawn proof counts as proved at the deadline', async () => {
    const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted', {
      budget_cents: 2000,
      consensus_count: 2,
      deadline: '2h',
    })
    const path = `/tasks/${task.id}`
    const [first, second] = (await agent.get(path)).body.task.assignments
    await agent.post(`${path}/dispute`, { reason: 'Spam', assignment_ids: [first.id] })
    await agent.post(`${path}/dispute/withdraw`)
    const again = { assignment_id: second.id, note: 'Again' }
    const revision = await agent.post(`${path}/request-revision`, again)
    assert.equal(revision.status, 200, revision.text)

    market.advance(2 * HOUR)
    await market.sweep()

    const shown = (await agent.get(path)).body.task
    assert.deepEqual(
      [shown.status, shown.assignments.map(({ status }: { status: string }) => status)],
      ['proof_submitted', ['approved', 'submitted']],
    )
    await agent.post(`${path}/approve`)
    assert.equal(await market.payable(task.workers[1]!.id), 820)
  })

  test('409 withdraw_too_late after 30 days; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    market.advance(30 * DAY)

    const { status, body } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)

    assert.deepEqual([status, body.code], [409, 'withdraw_too_late'])
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('409 if nothing is disputed; 400 and 404 for an unknown task or assignment', async () => {
    const agent = await market.agent({ balanceCents: 50_000, freeTasks: false })
    const other = await market.agent()
    const completed = await market.taskIn(agent, 'completed')
    let disputed = completed
    for (let i = 0; i < 5; i += 1) disputed = await market.taskIn(agent, 'disputed')
    const balance = await market.balance(agent.id)
    const withdraw = (by: typeof agent, id: string, body = {}) =>
      by.post(`/tasks/${id}/dispute/withdraw`, body)

    assert.equal((await withdraw(agent, completed.id)).body.code, 'invalid_state')
    assert.equal((await withdraw(other, disputed.id)).body.code, 'task_not_found')
    const wrong = await withdraw(agent, disputed.id, { dispute_id: 'dsp_x' })
    assert.deepEqual([wrong.status, wrong.body.details[0].path], [400, 'dispute_id'])
    assert.equal(await market.balance(agent.id), balance)
  })
})

describe('withdrawing a held dispute', async () => {
  const strict = await marketplace({ settings: HELD_AFTER_ONE })

  test('200: pays the worker out of escrow once; a repeated request returns the same response', async () => {
    const { agent, task, path, shown, own, paid } = await heldDispute(strict)

    const first = await agent.post(`${path}/dispute/withdraw`)
    const again = await agent.post(`${path}/dispute/withdraw`)

    assert.equal(first.status, 200, first.text)
    assert.deepEqual(
      [first.body.task.status, first.body.task.status_reason, first.body.task.decides_by],
      ['completed', 'dispute_withdrawn', null],
    )
    assert.deepEqual(
      [first.body.dispute.status, first.body.dispute.debited_cents],
      ['withdrawn', 0],
    )
    assert.deepEqual(again.body.dispute, first.body.dispute)
    assert.deepEqual(await paid(), [2460])
    assert.equal(await strict.balance(agent.id), 100)
    assert.equal((await shown()).approved_by, 'agent')
    assert.equal((await own()).held_dispute.status, 'withdrawn')
    assert.deepEqual(
      (await eventsOfTask(strict, task.id)).slice(-2).map(({ type, data }) => [type, data.ruling]),
      [
        ['task.completed', undefined],
        ['task.dispute_resolved', 'withdrawn'],
      ],
    )
  })

  test('200: pays workers who disagree, without a result', async () => {
    const { agent, path, shown, paid } = await heldDispute(strict, { answers: [true, false] })

    const { status } = await agent.post(`${path}/dispute/withdraw`)

    assert.equal(status, 200)
    assert.deepEqual(await paid(), [1230, 1230])
    assert.equal((await shown()).consensus.result, null)
  })

  test('200 for single proofs: the task returns to review', async () => {
    const { agent, path, ids, paid } = await heldDispute(strict, { consensus_count: 3, parts: 1 })

    const { body } = await agent.post(`${path}/dispute/withdraw`)

    assert.deepEqual([body.task.status, body.task.status_reason], ['proof_submitted', null])
    const again = await agent.post(`${path}/dispute`, { reason: 'x', assignment_ids: [ids[0]] })
    assert.equal(again.status, 400)
    await agent.post(`${path}/approve`)
    assert.deepEqual(await paid(), [820, 820, 820])
  })

  test('a free task’s worker is paid, and the agent pays nothing', async () => {
    const { agent, path, paid } = await heldDispute(strict, { budget_cents: 1000, free: true })

    await agent.post(`${path}/dispute/withdraw`)

    assert.deepEqual(await paid(), [820])
    assert.equal(await strict.balance(agent.id), 0)
  })
})
