import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { showOpsGauges } from '../ops/gauges.ts'

const market = await marketplace()

const report = async (id: string, fields: Record<string, unknown> = {}) => {
  const worker = await market.trustedWorker()
  const body = { kind: 'dangerous', ...fields }
  assert.equal((await worker.post(`/worker/tasks/${id}/report`, body)).status, 200)
  return worker
}

describe('server ops report', () => {
  test('clear restores the task; a later report also waits, and no longer hides it', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'pending')
    await report(id)
    await market.events()
    const worker = await market.worker()

    const said = await ops(market, 'report', id, 'clear', 'All', 'is', 'well')
    await market.events()
    const shown = await worker.get('/worker/feed')
    await report(id, { kind: 'other' })

    assert.equal(said.isBad, false)
    assert.deepEqual(
      shown.body.tasks.map((task: { id: string }) => task.id),
      [id],
    )
    assert.match((await ops(market, 'reports')).out, /still visible/)
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    await ops(market, 'report', id, 'clear', 'Still well')
  })

  test('uphold cancels: a holder gets compensation, a worker with proof full pay, the agent the rest', async () => {
    const agent = await market.agent({ balanceCents: 6000, freeTasks: false })
    const task = await market.taskIn(agent, 'in_progress', {
      consensus_count: 3,
      budget_cents: 6000,
    })
    const [sent, holder, reporter] = task.workers
    await sent!.post(`/worker/tasks/${task.id}/proof`, { text: 'Done' })
    await reporter!.post(`/worker/tasks/${task.id}/report`, { kind: 'illegal' })

    const said = await ops(market, 'report', task.id, 'uphold', 'It', 'is', 'a', 'crime')

    assert.match(said.out, /cancelled/)
    const { body } = await agent.get(`/tasks/${task.id}`)
    assert.deepEqual([body.task.status, body.task.status_reason], ['cancelled', 'reported'])
    assert.equal(await market.payable(sent!.id), 1640)
    assert.equal(await market.payable(holder!.id), 600)
    assert.equal(await market.payable(reporter!.id), 0)
    assert.equal(await market.balance(agent.id), 6000 - 2000 - 600)
    const events = await market.events()
    assert(events.some(({ type, task_id }) => type === 'task.cancelled' && task_id === task.id))
  })

  test('uphold refunds an unassigned task in full', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id } = await market.taskIn(agent, 'pending')
    await report(id)

    await ops(market, 'report', id, 'uphold', 'No')

    assert.equal(await market.balance(agent.id), 2500)
  })

  test('uphold leaves a task in review; no money moves', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'proof_submitted')
    await task.workers[0]!.post(`/worker/tasks/${task.id}/report`, { kind: 'abusive' })

    const said = await ops(market, 'report', task.id, 'uphold', 'Harsh words')

    assert.match(said.out, /stays proof_submitted/)
    assert.equal(await market.balance(agent.id), 0)
    assert.equal((await agent.post(`/tasks/${task.id}/approve`)).status, 200)
    assert.equal(await market.payable(task.workers[0]!.id), 2050)
  })

  test('two concurrent decisions decide and refund once', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id } = await market.taskIn(agent, 'pending')
    await report(id)

    const said = await Promise.all([
      ops(market, 'report', id, 'uphold', 'No'),
      ops(market, 'report', id, 'uphold', 'No'),
      ops(market, 'report', id, 'uphold', 'No'),
    ])

    assert.equal(said.filter(({ isBad }) => isBad).length, 2)
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('names missing arguments and reports that are not pending', async () => {
    const unknown = await ops(market, 'report', 'task_x', 'clear', 'Well')

    assert.deepEqual(unknown, { out: 'There are no open reports about task_x', isBad: true })
    await assert.rejects(ops(market, 'report', 'task_x', 'shrug', 'x'), /clear/)
    await assert.rejects(ops(market, 'report', 'task_x', 'clear'), /reason/)
    await assert.rejects(ops(market, 'report'), /task/)
  })
})

describe('server ops reports', () => {
  test('lists pending reports without the reporter, in lines without terminal escapes', async () => {
    const agent = await market.agent({ balanceCents: 5000 })
    const { id } = await market.taskIn(agent, 'in_progress', { title: 'Fetch a parcel' })
    const one = await report(id, { kind: 'scam', note: 'They want\n\u001b[2Jmy card' })
    const two = await report(id, { kind: 'illegal' })

    const { out, isBad } = await ops(market, 'reports')
    await showOpsGauges(market.background)

    assert.equal(isBad, true)
    const { values } = await market.server.metrics.reportsWaiting.get()
    assert.equal(values[0]?.value, 1)
    const own = out.slice(out.indexOf(id)).split('\n')
    assert.match(own[0]!, /in_progress, \$25\.00, custom, reported 0 min ago, hidden/)
    assert.match(
      own[1]!,
      new RegExp(`${agent.name} \\(${agent.id}, .*; 1 worker working on it, 0 proofs`),
    )
    assert.deepEqual(own.slice(2, 6), [
      '  Fetch a parcel',
      '  Look',
      '  - scam, weight 1: They want [2Jmy card',
      '  - illegal, weight 2',
    ])
    for (const { id: workerId, email } of [one, two])
      assert(!out.includes(workerId) && !out.includes(email))
    await ops(market, 'report', id, 'uphold', 'No')
    assert.deepEqual(await ops(market, 'reports'), { out: 'No reports to review', isBad: false })
  })
})
