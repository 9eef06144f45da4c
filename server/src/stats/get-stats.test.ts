import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { settle } from '../../test/settled.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { STATUSES } from '../tasks/status.ts'

const market = await marketplace()

describe('GET /stats', () => {
  test('[4.7-gap-stats] has every field for an agent without tasks, at zero or null', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.get('/stats')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      tasks: {
        total: 0,
        by_status: {
          pending: 0,
          in_progress: 0,
          proof_submitted: 0,
          completed: 0,
          disputed: 0,
          expired: 0,
          cancelled: 0,
        },
        by_type: {
          verification: 0,
          voice_proxy: 0,
          gut_check: 0,
          field_mission: 0,
          empathy_escalation: 0,
          vibe_reader: 0,
          custom: 0,
        },
      },
      spend: { total_cents: 0, by_type: [] },
      timing: { p50_accept_s: null, p90_accept_s: null, p50_done_s: null },
      quality: {
        dispute_rate: null,
        overturn_rate: null,
        conflict_rate: null,
        auto_approved_rate: null,
        counts: {
          verdicts: 0,
          disputed: 0,
          disputes: 0,
          overturned: 0,
          answered: 0,
          conflicts: 0,
          completed: 0,
          auto_approved: 0,
        },
      },
      top_workers: [],
      partner_count: 0,
    })
  })

  test('[4.3-stats-counts] counts tasks by status and by type', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    for (const [i, status] of STATUSES.entries())
      for (let n = 0; n < i; n += 1)
        await market.taskIn(agent, status, { type: n % 2 === 0 ? 'gut_check' : 'custom' })

    const { body } = await agent.get('/stats')

    assert.equal(body.tasks.total, 21)
    assert.deepEqual(
      body.tasks.by_status,
      Object.fromEntries(STATUSES.map((status, i) => [status, i])),
    )
    assert.equal(body.tasks.by_type.gut_check, 12)
    assert.equal(body.tasks.by_type.custom, 9)
  })

  test('[4.3-stats-spend] spend is the agent’s own money in escrow or paid', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    await market.taskIn(agent, 'pending', { type: 'vibe_reader', budget_cents: 3000 })
    await market.taskIn(agent, 'in_progress', { type: 'vibe_reader', budget_cents: 2100 })
    await market.taskIn(agent, 'proof_submitted', { type: 'gut_check', budget_cents: 2200 })
    await market.taskIn(agent, 'completed', { type: 'gut_check', budget_cents: 4000 })
    for (const returned of ['disputed', 'expired', 'cancelled'] as const)
      await market.taskIn(agent, returned, { type: 'custom', budget_cents: 9000 })
    const free = await market.taskIn(agent, 'completed', { type: 'custom', budget_cents: 500 })

    const { body } = await agent.get('/stats')

    assert.equal(free.funding, 'free')
    assert.deepEqual(body.spend, {
      total_cents: 11_300,
      by_type: [
        { type: 'gut_check', total_cents: 6200, count: 2 },
        { type: 'vibe_reader', total_cents: 5100, count: 2 },
        { type: 'custom', total_cents: 0, count: 4 },
      ],
    })
    assert.equal(await market.balance(agent.id), 100_000 - 11_300)
  })

  test('counts the whole budget of a per-worker task', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    await market.taskIn(agent, 'pending', { consensus_count: 3, budget_basis: 'per_worker' })

    const { body } = await agent.get('/stats')

    assert.equal(body.spend.total_cents, 7500)
  })

  test('the dispute rate is the share of disputed among judged tasks', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    for (const status of ['completed', 'completed', 'completed', 'disputed', 'pending'] as const)
      await market.taskIn(agent, status)

    const few = (await agent.get('/stats')).body.quality
    await market.taskIn(agent, 'completed')
    const enough = (await agent.get('/stats')).body.quality

    assert.deepEqual([few.dispute_rate, few.counts.verdicts, few.counts.disputed], [null, 4, 1])
    assert.deepEqual([enough.dispute_rate, enough.counts.verdicts], [0.2, 5])
  })

  test('[4.3-stats-workers] names the workers with the most approved work, ten at most', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const best = await market.worker({ name: 'Best', approvals: 30 })
    const second = await market.worker({ name: 'Second' })
    await settle(market, agent, [best, second], 'approved')
    await settle(market, agent, [best, second], 'approved')
    await settle(market, agent, [best], 'approved')
    await settle(market, agent, [second], 'disputed')
    await settle(market, agent, [second], 'submitted')
    for (let n = 0; n < 10; n += 1) {
      const other = await market.worker()
      await settle(market, agent, [other], 'approved')
    }

    const { body } = await agent.get('/stats')

    assert.equal(body.top_workers.length, 10)
    assert.deepEqual(body.top_workers.slice(0, 2), [
      { id: best.id, name: 'Best', completed: 3, trust_score: 93, level: 3 },
      { id: second.id, name: 'Second', completed: 2, trust_score: 60, level: 1 },
    ])
  })

  test('[4.3-stats-partners] counts every worker with approved work for this agent', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const other = await market.agent({ balanceCents: 1_000_000 })
    const workers = [await market.worker(), await market.worker(), await market.worker()]
    await settle(market, agent, workers.slice(0, 2), 'approved')
    await settle(market, agent, workers.slice(0, 1), 'approved')
    await settle(market, agent, workers.slice(2), 'disputed')
    await settle(market, other, workers.slice(2), 'approved')

    const { body } = await agent.get('/stats')

    assert.equal(body.partner_count, 2)
    assert.equal(body.top_workers.length, 2)
  })

  test('measures how long tasks wait for a worker, and for their end', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    for (let n = 1; n <= 9; n += 1)
      await settle(market, agent, [worker], 'approved', { acceptMinutes: n, workMinutes: 10 })
    await settle(market, agent, [worker], 'disputed', { acceptMinutes: 10, workMinutes: 900 })
    await settle(market, agent, [worker], 'submitted', { acceptMinutes: 11, workMinutes: 900 })
    await market.taskIn(agent, 'pending')

    const { body } = await agent.get('/stats')

    assert.deepEqual(body.timing, { p50_accept_s: 360, p90_accept_s: 600, p50_done_s: 900 })
  })

  test('the first acceptance ends the wait, though others finish', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    const task = await settle(market, agent, [worker], 'approved', { acceptMinutes: 10 })
    for (const acceptMinutes of [0.5, 0.5, 10, 10])
      await settle(market, agent, [worker], 'approved', { acceptMinutes })
    const released = await market.worker()
    await market.asOwner(
      `insert into assignments select (jsonb_populate_record(a, jsonb_build_object('id', $2::text, 'worker_id',
         $3::text, 'status', 'released', 'net_cents', null, 'accepted_at', a.accepted_at - interval '9 minutes'))).*
         from assignments a where task_id = $1`,
      [task.id, mintId('asg', market.now(), shardOf(task.id)), released.id],
    )

    const { body } = await agent.get('/stats')

    assert.equal(body.timing.p50_accept_s, 60)
    assert.equal(body.partner_count, 1)
  })

  test('tells no typical time from fewer than five tasks', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const worker = await market.worker()
    for (let n = 0; n < 4; n += 1) await settle(market, agent, [worker], 'approved')

    const { timing, tasks } = (await agent.get('/stats')).body

    assert.equal(tasks.by_status.completed, 4)
    assert.deepEqual(timing, { p50_accept_s: null, p90_accept_s: null, p50_done_s: null })
  })

  test('each quality rate is relative to its own tasks and disputes', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const workers = [await market.worker(), await market.worker()]
    await settle(market, agent, workers, 'approved', { isConflict: true })
    for (let n = 0; n < 4; n += 1)
      await settle(market, agent, workers, 'approved', { approvedBy: 'auto' })
    await settle(market, agent, workers, 'submitted')
    await settle(market, agent, workers.slice(1), 'approved')
    const disputed = await settle(market, agent, workers.slice(1), 'disputed')
    for (const status of ['overturned', 'upheld', 'upheld', 'open', 'withdrawn', 'held'])
      await market.asOwner(
        `insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents,
           created_at) values ($1, $2, $3, '{}', 'no', $4, true, 0, now())`,
        [mintId('dsp', market.now(), shardOf(disputed.id)), disputed.id, agent.id, status],
      )

    const { body } = await agent.get('/stats')

    assert.deepEqual(body.quality, {
      dispute_rate: 1 / 7,
      overturn_rate: 1 / 5,
      conflict_rate: 1 / 6,
      auto_approved_rate: 4 / 6,
      counts: {
        verdicts: 7,
        disputed: 1,
        disputes: 5,
        overturned: 1,
        answered: 6,
        conflicts: 1,
        completed: 6,
        auto_approved: 4,
      },
    })
  })

  test('excludes other agents and test mode', async () => {
    const [agent, other] = [await market.agent(), await market.agent({ balanceCents: 5000 })]
    await market.taskIn(other, 'pending')
    await market.taskIn(agent.test, 'pending')

    const [mine, test] = [await agent.get('/stats'), await agent.test.get('/stats')]

    assert.equal(mine.body.tasks.total, 0)
    assert.equal(test.body.tasks.total, 1)
    assert.equal(test.body.spend.total_cents, 2500)
  })

  test('401 without a key', async () => {
    const { status } = await market.call('GET', '/stats')

    assert.equal(status, 401)
  })
})
