import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { SHARED_CARD } from '../../test/sandbox.ts'
import { completedBy, payableWorker, payoutsOfTask } from '../../test/payouts.ts'
import { decideHold } from './decide-hold.ts'
import { NEVER } from './holds.ts'
import { findRing } from './ring.ts'

const CARD_OF_FEW = '4000000000000077'
const CARD_OF_MANY = '4000002500003155'
const HOUR = 3_600_000
const DAY = 24 * HOUR
const market = await marketplace({
  processor: true,
  roles: ['api', 'desk'],
  settings: { PAYOUT_REVIEW_SCORE: 60 },
})
const { shards } = market.server.db
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })

const bankAt = (number: string) => ({ routing: '110000000', number })

async function workerAt(number: string) {
  const worker = await payableWorker(market)
  await market.sandbox.control('POST', `accounts/${worker.accountId}/submit`, {
    outcome: 'verified',
    bank: bankAt(number),
  })
  await market.settle()
  return worker
}

const signsOf = async (payoutId: string) => {
  const rows = await market.db.reader
    .selectFrom('payout_signals')
    .select('sign')
    .where('payout_id', '=', payoutId)
    .orderBy('sign')
    .execute()
  return rows.map(({ sign }) => sign)
}

const registeredFrom = (table: 'workers' | 'agents', id: string, address: string) =>
  market.asOwner(`update ${table} set registered_from = $2 where id = $1`, [id, address])

type Agent = Awaited<ReturnType<typeof market.agent>>

async function paidFromWallet(worker: TestWorker, given?: Agent) {
  const agent = given ?? (await market.agent({ balanceCents: 1000, freeTasks: false }))
  const task = await completedBy(agent, [worker])
  await market.settle()
  return (await payoutsOfTask(market, task.id))[0]!
}

describe('a payout about to be sent', () => {
  test('is sent to a worker who shares nothing', async () => {
    const payout = await paidFromWallet(await workerAt('000111111111'))

    assert.equal(payout.status, 'paid')
    assert.deepEqual(await signsOf(payout.id), ['new_worker'])
  })

  test('waits for an operator if the bank account is that of another worker', async () => {
    const other = await workerAt('000222222222')
    const worker = await workerAt('000222222222')

    const payout = await paidFromWallet(worker)

    assert.deepEqual(
      [payout.status, payout.hold_reason, payout.available_at, payout.check_at],
      ['held', 'review', NEVER, null],
    )
    assert.deepEqual(await signsOf(payout.id), ['new_worker', 'same_bank_account'])
    assert.equal(await market.payable(worker.id), 820)
    const operator = await signIn(market, 'viewer')
    const { body } = await operator.get(`/objects/${payout.id}`)
    const facts = JSON.stringify(body.object.facts)
    assert.match(facts, new RegExp(`same bank account, score 60: ${other.id}`))
  })

  test('is not held again once an operator has released it, nor the next one for the same sign', async () => {
    await workerAt('000333333333')
    const worker = await workerAt('000333333333')
    const held = await paidFromWallet(worker)
    assert.equal(held.hold_reason, 'review')

    await decideHold(market.background, { payoutId: held.id, verdict: 'let_go', note: 'a couple' })
    await market.settle()
    const next = await paidFromWallet(worker)

    const [released] = await payoutsOfTask(market, held.task_id)
    assert.deepEqual([released!.status, released!.cleared_at], ['paid', market.now()])
    assert.equal(next.status, 'paid')
  })

  test('waits for an operator if agents without other workers give all their free tasks to one', async () => {
    const worker = await workerAt('000444444444')
    const taskIds = []
    for (let n = 0; n < 2; n += 1) {
      const agent = await market.agent()
      for (let k = 0; k < 3; k += 1)
        taskIds.push((await completedBy(agent, [worker], { budget_cents: 2000 })).id)
    }
    await market.settle()

    market.advance(8 * DAY)
    await market.settle()

    for (const taskId of taskIds) {
      const [payout] = await payoutsOfTask(market, taskId)
      assert.deepEqual([payout!.status, payout!.hold_reason], ['held', 'review'])
      assert((await signsOf(payout!.id)).includes('closed_circle'))
    }
  })

  test('is sent if the agent only shares a company’s card with one on the network of the worker', async () => {
    const worker = await workerAt('000888888888')
    const colleague = await market.agent()
    const agent = await market.agent({ freeTasks: false })
    await market.deposit(colleague, 1000, SHARED_CARD)
    await market.deposit(agent, 1000, SHARED_CARD)
    await registeredFrom('workers', worker.id, '198.51.100.8')
    await registeredFrom('agents', colleague.id, '198.51.100.8')

    const waiting = await paidFromWallet(worker, agent)
    market.advance(8 * DAY)
    await market.settle()

    const [payout] = await payoutsOfTask(market, waiting.task_id)
    assert.deepEqual([waiting.hold_reason, payout!.status], ['new_funds', 'paid'])
    assert.deepEqual(await signsOf(payout!.id), ['agent_in_ring', 'new_worker'])
  })

  test('has a sign if another worker has sent the same agent the same long text', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const text = 'Open until six; the door says closed on Sundays.'
    const signsAfter = async (number: string, answer: string) => {
      const worker = await workerAt(number)
      const task = await completedBy(agent, [worker], {}, { text: answer })
      await market.settle()
      return signsOf((await payoutsOfTask(market, task.id))[0]!.id)
    }

    assert.deepEqual(await signsAfter('000131313131', text), ['new_worker'])
    const copied = text.toUpperCase().replace(' ', '\n ')
    assert.deepEqual(await signsAfter('000141414141', copied), ['new_worker', 'same_text'])
    const own = 'Closes at six in the evening, and all of Sunday.'
    assert.deepEqual(await signsAfter('000151515151', own), ['new_worker'])
  })

  test('in test mode is paid at once and leaves no signs', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent.test, 'completed', { budget_cents: 500 })

    await market.settle()

    const [payout] = await payoutsOfTask(market, task.id)
    assert.equal(payout!.status, 'paid')
    assert.deepEqual(await signsOf(payout!.id), [])
  })
})

describe('a ring', () => {
  test('is everyone who can be reached over bank accounts and network addresses', async () => {
    const one = await workerAt('000555555555')
    const two = await workerAt('000555555555')
    const three = await workerAt('000666666666')
    const agent = await market.agent()
    const stranger = await workerAt('000777777777')
    await registeredFrom('workers', two.id, '198.51.100.7')
    await registeredFrom('workers', three.id, '198.51.100.7')
    await registeredFrom('agents', agent.id, '198.51.100.7')

    const ring = await findRing(shards, one.id)

    assert.deepEqual(ring, {
      workers: [one.id, two.id, three.id].toSorted(),
      agents: [agent.id],
    })
    assert.deepEqual(await findRing(shards, three.id), ring)
    assert.deepEqual((await findRing(shards, stranger.id)).workers, [stranger.id])
  })

  test('continues from agent to agent over a card, which alone links no worker to an agent', async () => {
    const worker = await workerAt('000999999999')
    const stranger = await workerAt('000101010101')
    const [near, payer, far] = [await market.agent(), await market.agent(), await market.agent()]
    for (const agent of [near, payer]) await market.deposit(agent, 500, CARD_OF_FEW)
    await market.deposit(far, 500)
    await market.fund(payer.id, 1000)
    await paidFromWallet(stranger, payer)
    await registeredFrom('workers', worker.id, '198.51.100.9')
    await registeredFrom('agents', near.id, '198.51.100.9')

    const ring = await findRing(shards, worker.id)

    assert.deepEqual(ring, {
      workers: [worker.id],
      agents: [near.id, payer.id].toSorted(),
    })
    assert.deepEqual((await findRing(shards, stranger.id)).agents, [])
  })

  test('does not follow a card with which eleven agents have paid', async () => {
    const worker = await workerAt('000121212121')
    const agents = []
    for (let n = 0; n < 11; n += 1) agents.push(await market.agent())
    for (const agent of agents.slice(0, 10)) await market.deposit(agent, 500, CARD_OF_MANY)
    await registeredFrom('workers', worker.id, '198.51.100.10')
    await registeredFrom('agents', agents[0]!.id, '198.51.100.10')
    const ringOfTen = await findRing(shards, worker.id)

    await market.deposit(agents[10]!, 500, CARD_OF_MANY)

    assert.equal(ringOfTen.agents.length, 10)
    assert.deepEqual((await findRing(shards, worker.id)).agents, [agents[0]!.id])
  })
})
