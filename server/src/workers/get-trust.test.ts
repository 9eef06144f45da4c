import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { moveTrust, settle } from '../../test/settled.ts'

const DAY = 86_400_000

const market = await marketplace()
const ago = (days: number) => new Date(market.now().getTime() - days * DAY)

describe('GET /worker/trust', () => {
  test('is 70 for a new worker, with the requirements of level 2', async () => {
    const worker = await market.worker()

    const { status, body } = await worker.get('/worker/trust')

    assert.equal(status, 200)
    assert.equal(body.trust_score, 70)
    assert.equal(body.level, 1)
    assert.deepEqual(body.next_level, {
      level: 2,
      approved_needed: 5,
      trust_needed: 0,
      identity_needed: false,
    })
    assert.deepEqual(body.changes, [])
    assert.deepEqual(body.levels[0], { level: 2, approved: 5, trust: 60, identity: false })
    assert.deepEqual(
      body.levels.map(({ level }: { level: number }) => level),
      [2, 3, 4, 5],
    )
    assert(body.never_counts.includes('Being offline'))
  })

  test('lists each change with its task, points and cause in plain words, newest first', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const worker = await market.worker()
    const approved = await settle(market, agent, [worker], 'approved', { at: ago(2) })
    const disputed = await settle(market, agent, [worker], 'disputed', { at: ago(1) })
    await moveTrust(market, worker.id, 'abandoned')

    const { body } = await worker.get('/worker/trust')

    assert.equal(body.trust_score, 55)
    assert.deepEqual(body.changes, [
      {
        at: market.now().toISOString(),
        cause: 'abandoned',
        task_id: null,
        weight: -0.5,
        points: -2,
        pending: false,
        note: 'You released a task late, or your time ran out before you sent a proof.',
      },
      {
        at: ago(1).toISOString(),
        cause: 'disputed',
        task_id: disputed.id,
        weight: -3,
        points: -15.6,
        pending: false,
        note: 'An agent disputed your work.',
      },
      {
        at: ago(2).toISOString(),
        cause: 'approved',
        task_id: approved.id,
        weight: 1,
        points: 2.7,
        pending: false,
        note: 'Your work was approved.',
      },
    ])
  })

  test('follows a verdict at once', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const [approved, disputed] = [
      await market.taskIn(agent, 'completed'),
      await market.taskIn(agent, 'disputed'),
    ]

    const [praised, blamed] = await Promise.all(
      [approved, disputed].map(
        async ({ workers }) => (await workers[0]!.get('/worker/trust')).body,
      ),
    )

    // The harness gives workers a hundred approvals: 97.27.
    assert.equal(praised?.changes[0].task_id, approved.id)
    assert.deepEqual([praised?.changes[0].cause, praised?.changes[0].points], ['approved', 0])
    assert.equal(blamed?.changes[0].task_id, disputed.id)
    assert.deepEqual([blamed?.changes[0].cause, blamed?.changes[0].points], ['disputed', -2.6])
    assert.equal(blamed?.trust_score, 95)
  })

  for (const cause of ['dispute_withdrawn', 'dispute_overturned'])
    test(`a ${cause} restores what the dispute had cost`, async () => {
      const worker = await market.worker()
      await moveTrust(market, worker.id, 'disputed', { at: ago(3) })
      await market.asOwner(
        `insert into trust_events select worker_id, key || ':back', $2, -good, -bad, -weight, task_id, $3
           from trust_events where worker_id = $1`,
        [worker.id, cause, market.now()],
      )
      await market.asOwner('update workers set trust_bad = 0 where id = $1', [worker.id])

      const { body } = await worker.get('/worker/trust')

      assert.equal(body.trust_score, 70)
      assert.deepEqual(
        body.changes.map(({ cause, points }: { cause: string; points: number }) => [cause, points]),
        [
          [cause, 15.9],
          ['disputed', -16.2],
        ],
      )
      assert.match(body.changes[0].note, /the points you lost were restored/)
    })

  test('shows the last 90 days and a hundred changes, though older ones still count', async () => {
    const [old, busy] = [await market.worker(), await market.worker()]
    await moveTrust(market, old.id, 'disputed', { at: ago(91) })
    await moveTrust(market, old.id, 'approved', { at: ago(89) })
    for (let n = 0; n < 105; n += 1)
      await moveTrust(market, busy.id, n < 5 ? 'disputed' : 'approved', { at: ago(20 - n / 10) })

    const [of, ofBusy] = [await old.get('/worker/trust'), await busy.get('/worker/trust')]

    assert.equal(of.body.trust_score, 63)
    assert.deepEqual(
      of.body.changes.map(({ cause }: { cause: string }) => cause),
      ['approved'],
    )
    assert.equal(ofBusy.body.changes.length, 100)
    assert(ofBusy.body.changes.every(({ cause }: { cause: string }) => cause === 'approved'))
    assert(ofBusy.body.changes.at(-1).points > 1, 'computed from the score before')
  })

  test('shows a pending dispute with both possible outcomes, before and after an appeal', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    const worker = task.workers[0]!
    const { dispute } = (await agent.get(`/tasks/${task.id}`)).body.task
    const shown = async () => (await worker.get('/worker/trust')).body
    const before = await shown()

    await worker.post(`/worker/tasks/${task.id}/appeal`, { statement: 'It is right' })
    const appealed = await shown()
    await agent.post(`/tasks/${task.id}/dispute/answer`, { statement: 'It is not' })
    const answered = await shown()

    // From a hundred approvals: 107 / 113 with the dispute, 107 / 110 without, 108 / 111 with another approval.
    assert.deepEqual([before.trust_score, before.standing_score, before.level], [95, 97, 4])
    assert.deepEqual(before.pending, [
      {
        task_id: task.id,
        title: 'Look',
        dispute_id: dispute.id,
        disputed_at: dispute.created_at,
        points: -2.6,
        appeal_status: 'none',
        can_appeal_until: new Date(Date.parse(dispute.created_at) + 3 * DAY).toISOString(),
        if_upheld: { trust_score: 95, standing_score: 95, level: 4 },
        if_overturned: { trust_score: 97, standing_score: 97, level: 4 },
      },
    ])
    assert.deepEqual(
      before.changes.map(({ cause, pending }: Json) => [cause, pending]),
      [['disputed', true]],
    )
    assert.match(before.changes[0].note, /does not count yet/)
    assert.deepEqual(appealed.pending, [
      { ...before.pending[0], appeal_status: 'open', can_appeal_until: null },
    ])
    assert.deepEqual(answered.pending, [{ ...appealed.pending[0], appeal_status: 'answered' }])
  })

  test('shows the points of a pending dispute even after a hundred later changes', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const task = await market.taskIn(agent, 'disputed')
    const worker = task.workers[0]!
    market.advance(1000)
    for (let n = 0; n < 100; n += 1) await moveTrust(market, worker.id, 'approved')

    const { body } = await worker.get('/worker/trust')

    assert(body.changes.every(({ cause }: { cause: string }) => cause === 'approved'))
    assert.deepEqual([body.pending[0].task_id, body.pending[0].points], [task.id, -2.6])
  })

  test('shows each worker of a consensus task their own dispute', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const { id, workers } = await market.taskIn(agent, 'disputed', { consensus_count: 2 })
    const [first, second] = workers
    await first!.post(`/worker/tasks/${id}/appeal`, { statement: 'It is right' })

    const [one, other] = await Promise.all(
      workers.map(async (worker) => (await worker.get('/worker/trust')).body.pending),
    )
    market.advance(3 * DAY)
    await market.sweep()

    assert.deepEqual([one[0].appeal_status, other[0].appeal_status], ['open', 'none'])
    // The agent did not reply, so the first worker won; the second did not appeal in time.
    const levels = await Promise.all(
      [first!, second!].map(async (worker) => (await worker.get('/worker/trust')).body),
    )
    assert.deepEqual(
      levels.map(({ trust_score, standing_score, pending }) => [
        trust_score,
        standing_score,
        pending,
      ]),
      [
        [97, 97, []],
        [95, 95, []],
      ],
    )
  })

  test('shows only the worker’s own changes', async () => {
    const [mine, other] = [await market.worker(), await market.worker()]
    await moveTrust(market, other.id, 'disputed')

    const { body } = await mine.get('/worker/trust')

    assert.deepEqual(body.changes, [])
  })

  test('401 without a token', async () => {
    assert.equal((await market.call('GET', '/worker/trust')).status, 401)
  })
})
