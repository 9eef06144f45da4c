/**
 * Wall clock jumps in real processes. A jump of three days once approved and expired every task within 15 seconds. Now
 * the process stops its timers, reports not ready, logs it, and resumes when the clock is right again.
 */
import assert from 'node:assert/strict'
import { before, describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { atEnd } from '../hooks.ts'
import { call, marketplace, type Reply } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { startChild } from './server-child.ts'

const DAY = 86_400_000
const SWEEP_MS = 100
/** Long enough for many passes of every timer, even on a busy machine. */
const MANY_SWEEPS_MS = 2500

const market = await marketplace({ clock: 'real' })
const settings = {
  DATABASE_URL: market.url,
  WORKER_TOKEN_KEYS: market.server.config.WORKER_TOKEN_KEYS!,
  RATE_LIMITS: 'off',
  AGENT_CAPS: 'off',
  SHARD_DATABASES: '16',
  SWEEP_INTERVAL_MS: String(SWEEP_MS),
  LOG_LEVEL: 'info',
}

const file = { after: atEnd as (end: () => Promise<unknown>) => void }
type Child = Awaited<ReturnType<typeof startChild>>

type Agent = Awaited<ReturnType<typeof market.agent>>

/** One task of each kind whose deadline falls within the jump: proof submitted, held by a worker, open. */
async function waitingTasks(agent: Agent): Promise<string[]> {
  const ids: string[] = []
  for (const status of ['proof_submitted', 'in_progress', 'pending'] as const)
    ids.push((await market.taskIn(agent, status, { budget_cents: 500, deadline: '2d' })).id)
  return ids
}

const statuses = async (agent: Agent, ids: string[]) =>
  Promise.all(ids.map(async (id) => (await agent.get(`/tasks/${id}`)).body.task.status as string))

const readiness = (child: { ops: string }): Promise<Reply> => call(child.ops, 'GET', '/readyz')

const metric = async (child: { ops: string }, name: string) =>
  Number(
    new RegExp(`^${name} (\\S+)$`, 'm').exec(
      await (await fetch(`${child.ops}/metrics`)).text(),
    )![1],
  )

const untilReady = (child: { ops: string }) =>
  eventually('it is ready', 15_000, async () =>
    (await readiness(child)).status === 200 ? true : undefined,
  )

describe('a jobs process whose wall clock steps', () => {
  let jobs: Child
  before(async () => {
    jobs = await startChild(file, { roles: ['jobs'], settings })
  })

  for (const [words, stepMs] of [
    ['three days ahead', 3 * DAY],
    ['three days back', -3 * DAY],
  ] as const)
    test(`${words} approves and expires nothing, and is not ready, until the step is undone`, async () => {
      const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
      const ids = await waitingTasks(agent)
      await untilReady(jobs)
      const logged = jobs.log().length
      const before = await statuses(agent, ids)
      const balance = await market.balance(agent.id)

      jobs.step(stepMs)
      const red = await eventually('it is not ready', 15_000, async () => {
        const reply = await readiness(jobs)
        return reply.status === 503 ? reply : undefined
      })
      // Due even by the correct clock, but it still waits until the clock can be trusted.
      await market.asOwner(`update tasks set deadline = now() - interval '1 s' where id = $1`, [
        ids[2],
      ])
      await sleep(MANY_SWEEPS_MS)
      const stepped = await statuses(agent, ids)
      const steppedBalance = await market.balance(agent.id)
      const said = await eventually('it says so', 15_000, async () =>
        jobs
          .log()
          .slice(logged)
          .split('\n')
          .find((line) => line.includes('the clock is not trusted')),
      )
      const doubted = await metric(jobs, 'legwork_clock_doubted')
      const offSeconds = await metric(jobs, 'legwork_clock_off_seconds')
      jobs.step(0)
      await untilReady(jobs)
      await eventually('work goes on', 15_000, async () =>
        (await statuses(agent, ids))[2] === 'expired' ? true : undefined,
      )

      assert.deepEqual(before, ['proof_submitted', 'in_progress', 'pending'])
      assert.deepEqual(stepped, before)
      assert.equal(steppedBalance, balance)
      assert.deepEqual(red.body.checks, {
        accepting: true,
        database: true,
        queue: true,
        clock: false,
      })
      assert.match(red.body.reasons.clock as string, /wall clock .* by -?259[12]\d\d\.\d s/)
      assert.equal(doubted, 1)
      assert(Math.abs(offSeconds - stepMs / 1000) < 2)
      const line = JSON.parse(said) as { level: string; difference_ms: number }
      assert.equal(line.level, 'error')
      assert(Math.abs(line.difference_ms - stepMs) < 2000)
      await eventually('it says that it goes on', 15_000, async () =>
        jobs.log().slice(logged).includes('the clock is trusted again') ? true : undefined,
      )
      assert.equal(jobs.log().slice(logged).split('the clock is not trusted').length, 2, 'once')
      assert.deepEqual((await statuses(agent, ids)).slice(0, 2), before.slice(0, 2))
    })

  test('by a second keeps working, because that is within the tolerance', async () => {
    const agent = await market.agent()
    const task = await market.taskIn(agent, 'pending', { budget_cents: 500 })
    jobs.step(1000)

    await market.asOwner(`update tasks set deadline = now() - interval '1 s' where id = $1`, [
      task.id,
    ])

    await eventually('it is expired', 15_000, async () =>
      (await statuses(agent, [task.id]))[0] === 'expired' ? true : undefined,
    )
    assert.equal((await readiness(jobs)).status, 200)
  })

  test('control: without the guard it approves and expires everything', async (t) => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const ids = await waitingTasks(agent)
    const unguarded = await startChild(t, { roles: ['jobs'], settings, clock: 'wall' })

    unguarded.step(3 * DAY)

    await eventually('all is lost', 15_000, async () => {
      const [proved, held, open] = await statuses(agent, ids)
      const isLost = proved === 'completed' && held !== 'in_progress' && open === 'expired'
      return isLost ? true : undefined
    })
  })
})

describe('an API process whose wall clock steps', () => {
  let api: Child
  before(async () => {
    api = await startChild(file, { roles: ['api'], settings })
  })

  for (const [words, stepMs] of [
    ['three days ahead', 3 * DAY],
    ['three days back', -3 * DAY],
  ] as const)
    test(`${words} is not ready, and serves late requests by the right time`, async () => {
      const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
      const worker = await market.worker()
      const [, , open] = await waitingTasks(agent)
      const as = (token: string) => ({ headers: { authorization: `Bearer ${token}` } })

      api.step(stepMs)
      const red = await eventually('it is not ready', 15_000, async () => {
        const reply = await readiness(api)
        return reply.status === 503 ? reply : undefined
      })
      const accepted = await call(
        api.api!,
        'POST',
        `/worker/tasks/${open}/accept`,
        as(worker.token),
      )
      const created = await call(api.api!, 'POST', '/tasks', {
        ...as(agent.api_key),
        body: { description: 'Look', budget_cents: 500, deadline: '1h' },
      })
      api.step(0)
      await untilReady(api)

      assert.equal(red.body.checks.clock, false)
      assert.deepEqual([accepted.status, created.status], [200, 201], accepted.text)
      const createdAt = Date.parse(created.body.task.created_at as string)
      assert(Math.abs(createdAt - Date.now()) < 30_000)
    })
})
