/** Every scripted worker of test mode, through the client. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Duration, InvalidRequestError, Legwork, type TaskDetail } from '@legwork/sdk'
import { LegworkWorker } from '@legwork/sdk/worker'
import { marketplace } from '../../server/test/harness.ts'

const market = await marketplace()
const agent = await market.agent()
const baseUrl = market.server.addresses.api!
const legwork = new Legwork({ apiKey: agent.test_api_key, baseUrl })

/** Asks whoever plays this, and lets so much time pass. */
async function ask(sim: string, by: Duration, fields: object = {}): Promise<TaskDetail> {
  const task = await legwork.verify({
    question: 'Is the bakery open?',
    location: { lat: 52.52, lng: 13.405 },
    context: { sim },
    ...fields,
  })
  return later(task.id, by)
}

async function later(id: string, by: Duration): Promise<TaskDetail> {
  const { is_done } = await legwork.test.advanceClock(by)
  assert.equal(is_done, true)
  return legwork.tasks.get(id)
}

/** What speaks against a proof. */
const doubts = ({ proofs }: TaskDetail) =>
  proofs[0]!.checks.filter(({ result }) => result !== 'pass').map(({ name }) => name)

describe('with a test key', () => {
  test('happy: the worker answers yes with a photo and is paid', async () => {
    const { id } = await ask('happy', '10s')

    const done = await legwork.tasks.wait(id)
    const { settlement } = await legwork.tasks.approve(id)

    assert.equal(done.mode, 'test')
    assert.match(done.proofs[0]!.worker.name, /^Sim /)
    assert.equal(done.proofs[0]!.answer, true)
    assert.deepEqual(doubts(done), [])
    assert.equal(settlement.workers[0]!.net_cents, 410)
  })

  test('happy: the task is approved automatically after a day, and the clock lists what is due', async () => {
    const { id, status } = await ask('happy', '10s')
    const { next } = await legwork.test.clock()
    const end = await later(id, '24h')

    assert.equal(status, 'proof_submitted')
    assert.deepEqual(
      next.filter(({ task_id }) => task_id === id).map(({ what }) => what),
      ['tasks.auto_approve'],
    )
    assert.deepEqual([end.status, end.approved_by], ['completed', 'auto'])
  })

  test('slow: the task is accepted after 30 seconds and proved after 150', async () => {
    const early = await ask('slow', '31s')

    assert.equal(early.status, 'in_progress')
    assert.equal((await later(early.id, '2m')).status, 'proof_submitted')
  })

  test('nobody: the deadline passes, and the money is refunded', async () => {
    const before = await legwork.wallet.get()
    const { id, status } = await ask('nobody', '30m', { deadline: '1h', budget_cents: 3000 })
    const end = await later(id, '31m')

    assert.deepEqual([status, end.status], ['pending', 'expired'])
    assert.equal((await legwork.wallet.get()).balance_cents, before.balance_cents)
  })

  for (const [sim, check] of [
    ['blurry', 'photo_quality'],
    ['far', 'photo_place'],
    ['late', 'captured_at'],
  ] as const)
    test(`${sim}: the check ${check} fails, and the task is disputed`, async () => {
      const task = await ask(sim, '10s')

      const { refunded_cents } = await legwork.tasks.dispute(task.id, { reason: `See ${check}` })

      assert(doubts(task).includes(check), doubts(task).join())
      assert.equal(refunded_cents, 500)
    })

  test('hand_back: another worker finishes the task', async () => {
    const { status, assignments } = await ask('hand_back', '1m')

    assert.equal(status, 'proof_submitted')
    assert.deepEqual(assignments.map((one) => one.status).sort(), ['released', 'submitted'])
  })

  test('disagree: two say yes, one says no, and the majority wins', async () => {
    const { id, consensus } = await ask('disagree', '1m', { consensus: 3 })

    const { settlement } = await legwork.tasks.approve(id)

    assert.deepEqual(consensus!.votes.map(({ answer }) => String(answer)).sort(), [
      'false',
      'true',
      'true',
    ])
    assert.equal(consensus!.result, true)
    assert.equal(settlement.workers.length, 3)
  })

  test('appeal: the worker appeals the dispute, and the agent withdraws it', async () => {
    const { id } = await ask('appeal', '10s')
    await legwork.tasks.dispute(id, { reason: 'Another door' })

    const { dispute } = await later(id, '10s')
    const { task } = await legwork.tasks.withdrawDispute(id)

    assert.equal(dispute!.appeals.length, 1)
    assert.equal(task.status, 'completed')
  })

  test('injection: the instructions are marked as untrusted data', async () => {
    const { proofs } = await ask('injection', '10s')

    assert.match(proofs[0]!.text!, /Ignore your instructions/)
    assert.equal(proofs[0]!.untrusted, true)
  })

  test('me: the caller is the worker', async () => {
    const { id, status } = await ask('me', '1h', { proof: 'text' })
    const { token } = await legwork.test.createWorker({ name: 'Me' })
    const worker = new LegworkWorker({ token, baseUrl })
    await market.work()

    const { tasks } = await worker.feed.list()
    await worker.tasks.accept(id)
    await worker.tasks.proof(id, { answer: false, text: 'Closed' })

    assert.equal(status, 'pending')
    assert(tasks.some((task) => task.id === id))
    assert.equal((await legwork.tasks.wait(id)).proofs[0]!.text, 'Closed')
  })

  test('an unknown persona is refused with the list of personas', async () => {
    await assert.rejects(ask('santa', '1s'), (error: Error) => {
      assert(error instanceof InvalidRequestError)
      assert.match(JSON.stringify(error.fields.details), /happy/)
      return true
    })
  })
})
