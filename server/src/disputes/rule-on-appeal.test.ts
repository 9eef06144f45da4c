import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import type { Ruling } from '../tasks/dispute-view.ts'
import { ruleOnAppeal } from './rule-on-appeal.ts'

const market = await marketplace()

const HOUR = 3_600_000

async function answered({ budget_cents = 3000, consensus_count = 1, free = false } = {}) {
  const agent = await market.agent({ balanceCents: free ? 0 : budget_cents, freeTasks: free })
  const task = await market.taskIn(agent, 'disputed', { budget_cents, consensus_count })
  for (const worker of task.workers)
    await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })
  await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'No' })
  const worker = task.workers[0]!
  const own = async () => (await worker.get(`/worker/tasks/${task.id}`)).body
  const shown = async () => (await agent.get(`/tasks/${task.id}`)).body.task
  return { agent, task, worker, own, shown }
}

const rule = (id: string, ruling: Ruling, note = 'The sign can be read.') =>
  market.at(id).transaction((tx) =>
    ruleOnAppeal(tx, {
      id,
      ruling,
      note,
      operator: 'olga',
      config: market.server.config,
      now: market.now(),
    }),
  )

const money = async (agent: { id: string }, worker: { id: string }) => [
  await market.balance(agent.id),
  await market.payable(worker.id),
]

describe('an operator’s ruling', () => {
  test('overturned: the worker is paid in full, the agent debited, trust restored, the note shown', async () => {
    const { agent, task, worker, own, shown } = await answered()

    await rule(task.id, 'overturned')

    assert.deepEqual(await money(agent, worker), [0, 2460])
    const after = await shown()
    assert.deepEqual(
      [after.status, after.approved_by, after.dispute.status, after.dispute.debited_cents],
      ['completed', 'operator', 'overturned', 3000],
    )
    const { assignment, dispute } = await own()
    assert.deepEqual([assignment.status, assignment.net_cents], ['approved', 2460])
    assert.deepEqual(
      [dispute.status, dispute.appeal.ruling, dispute.appeal.ruling_note],
      ['overturned', 'overturned', 'The sign can be read.'],
    )
    assert.equal((await worker.get('/worker/trust')).body.trust_score, 97)
    assert.equal((await agent.get('/stats')).body.quality.counts.overturned, 1)
  })

  test('upheld: no money moves, and the note says why', async () => {
    const { agent, task, worker, own, shown } = await answered()
    const trust = (await worker.get('/worker/trust')).body.trust_score

    await rule(task.id, 'upheld', 'It shows another street.')

    assert.deepEqual(await money(agent, worker), [3000, 0])
    const after = await shown()
    assert.deepEqual([after.status, after.dispute.status], ['disputed', 'upheld'])
    const { assignment, dispute } = await own()
    assert.deepEqual([assignment.status, assignment.net_cents], ['disputed', null])
    assert.equal(dispute.appeal.ruling_note, 'It shows another street.')
    assert.equal((await worker.get('/worker/trust')).body.trust_score, trust)
    const { status, body } = await agent.post(`/tasks/${task.id}/dispute/withdraw`)
    assert.deepEqual([status, body.code], [409, 'invalid_state'], 'the ruling is final')
  })

  test('split: half the pay for half the price, the odd cent for the worker; trust is restored', async () => {
    const { agent, task, worker, own, shown } = await answered({ budget_cents: 1005 })
    market.advance(HOUR)

    await rule(task.id, 'split')

    // 1005 - 180 = 825
    assert.deepEqual(await money(agent, worker), [1005 - 503, 413])
    const after = await shown()
    assert.deepEqual(
      [after.status, after.dispute.status, after.settlement.gross_cents],
      ['disputed', 'split', 503],
    )
    const { assignment, dispute } = await own()
    assert.deepEqual(
      [assignment.status, assignment.net_cents, dispute.status],
      ['disputed', 413, 'split'],
    )
    const { trust_score, changes } = (await worker.get('/worker/trust')).body
    assert.deepEqual(
      [trust_score, changes.length, changes[0].cause],
      [97, 2, 'dispute_split'],
      'restored, and half a task does not count',
    )
    const { stats } = (await worker.get('/worker/profile')).body.worker
    assert.deepEqual([stats.completed, stats.disputed], [100, 1])
  })

  test('makes the money payable, also after a split, whose task stays disputed', async () => {
    for (const [ruling, cents] of [
      ['overturned', 2460],
      ['split', 1230],
      ['upheld', null],
    ] as const) {
      const { task } = await answered()

      await rule(task.id, ruling)

      await market.work()
      const payouts = await market.db.reader
        .selectFrom('payouts')
        .select(['amount_cents', 'status'])
        .where('task_id', '=', task.id)
        .execute()
      assert.deepEqual(
        payouts,
        cents === null ? [] : [{ amount_cents: cents, status: 'awaiting_account' }],
      )
    }
  })

  test('pays the worker whatever the agent owes', async () => {
    const { agent, task, worker } = await answered()
    await agent.post('/tasks', { description: 'Look', budget_cents: 3000 })

    await rule(task.id, 'overturned')

    assert.deepEqual(await money(agent, worker), [-3000, 2460])
    const { payouts } = (await agent.post(`/tasks/${task.id}/payout`)).body
    assert.equal(payouts[0].status, 'awaiting_account')
  })

  test('of a free task is paid by the protection fund alone', async () => {
    const { agent, task, worker } = await answered({ budget_cents: 1000, free: true })
    assert.equal(task.funding, 'free')

    await rule(task.id, 'overturned')

    assert.deepEqual(await money(agent, worker), [0, 820])
    const wallet = (await agent.get('/wallet')).body
    assert.equal(wallet.free_tasks_remaining, 2)
    assert(!wallet.transactions.some(({ type }: { type: string }) => type === 'appeal_debit'))
  })

  test('of a consensus task is made per appeal; the dispute shows the best outcome for a worker', async () => {
    const { agent, task, shown } = await answered({ consensus_count: 3 })
    const { appeals } = (await shown()).dispute
    await assert.rejects(
      rule(task.id, 'overturned'),
      /This appeal does not exist/,
      'the assignment must be named',
    )

    await rule(appeals[0].id, 'overturned')
    await rule(appeals[1].id, 'split')
    await rule(task.id, 'upheld')

    const paid = []
    for (const { id } of task.workers) paid.push(await market.payable(id))
    assert.deepEqual(paid, [820, 410, 0])
    assert.equal(await market.balance(agent.id), 3000 - 1000 - 500)
    const { status, dispute } = await shown()
    assert.deepEqual(
      [status, dispute.status, dispute.debited_cents],
      ['completed', 'overturned', 1500],
    )
    const statuses = []
    for (const worker of task.workers)
      statuses.push((await worker.get(`/worker/tasks/${task.id}`)).body.dispute.status as string)
    assert.deepEqual(statuses, ['overturned', 'split', 'upheld'])
  })

  test('is sent to the agent', async () => {
    const { task } = await answered()
    await market.events()

    await rule(task.id, 'upheld')

    const [told] = (await market.events()).filter(({ task_id }) => task_id === task.id)
    const data = told!.data as { ruling: string; dispute: { appeals: { ruling_note: string }[] } }
    assert.equal(told!.type, 'task.dispute_resolved')
    assert.deepEqual(
      [data.ruling, data.dispute.appeals[0]!.ruling_note],
      ['upheld', 'The sign can be read.'],
    )
  })
})

describe('a ruling is refused', () => {
  test('before the agent has replied', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    await task.workers[0]!.post(`/worker/tasks/${task.id}/appeal`, { statement: 'Look' })

    await assert.rejects(rule(task.id, 'upheld'), { code: 'appeal_not_answered' })

    assert.equal(await market.payable(task.workers[0]!.id), 0)
  })

  test('for an unknown or decided appeal', async () => {
    const { task } = await answered()
    await rule(task.id, 'upheld')

    await assert.rejects(rule(task.id, 'overturned'), { code: 'appeal_ruled' })
    await assert.rejects(rule('apl_nonsense', 'upheld'), { code: 'appeal_not_found' })
  })

  test('after another decision: six operators and a withdrawal at once have one outcome', async () => {
    for (let i = 0; i < 3; i += 1) {
      const { agent, task, worker, shown } = await answered()
      const rulings: Ruling[] = ['upheld', 'overturned', 'split', 'overturned', 'split', 'upheld']

      const [withdrawal, ...rest] = await Promise.allSettled([
        agent.post(`/tasks/${task.id}/dispute/withdraw`),
        ...rulings.map((ruling) => rule(task.id, ruling)),
      ])

      const won = rest.filter(({ status }) => status === 'fulfilled').length
      const isWithdrawn = withdrawal.status === 'fulfilled' && withdrawal.value.status === 200
      assert.equal(won + (isWithdrawn ? 1 : 0), 1)
      const { dispute } = await shown()
      const expected = {
        upheld: [3000, 0],
        split: [1500, 1230],
        overturned: [0, 2460],
        withdrawn: [0, 2460],
      }[dispute.status as Ruling | 'withdrawn']
      assert.deepEqual(await money(agent, worker), expected)
    }
  })
})
