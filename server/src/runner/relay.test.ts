import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { z } from 'zod'
import { marketplace } from '../../test/harness.ts'
import { limitFor } from '../../test/pace.ts'
import { eventually } from '../../test/jobs-child.ts'
import { type Job, job } from '../kit/job.ts'
import { openLog } from '../kit/log.ts'
import { traceDeliveries } from '../webhooks/trace-deliveries.ts'
import { takeEvents } from '../webhooks/take-events.ts'
import { startRelay } from './relay.ts'

const market = await marketplace({ settings: { RELAY_INTERVAL_MS: 20 } })

const runs: { at: number; payload: any }[] = []
const whenCancelled = job({
  name: 'test.whenCancelled',
  payload: z.object({ id: z.string(), type: z.string(), task_id: z.string() }),
  attemptsMax: 4,
  events: ['task.cancelled'],
  async run({ payload }) {
    runs.push({ at: performance.now(), payload })
  },
})
const whole = await marketplace({
  roles: ['api', 'jobs'],
  clock: 'real',
  moreJobs: [whenCancelled],
})

describe('the relay', () => {
  test('starts the job of an event once, within a second', async (t) => {
    const agent = await whole.agent()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })

    const before = performance.now()
    const { status } = await agent.post(`/tasks/${body.task.id}/cancel`)
    const run = await eventually('the job has run', 30_000, async () => runs[0])
    const ms = run.at - before
    await eventually('its end is written', 30_000, async () => {
      const left = await whole.asOwner('select from graphile_worker.jobs')
      return left.length === 0 ? true : undefined
    })

    t.diagnostic(`from the request to the job: ${ms.toFixed(0)} ms`)
    assert.equal(status, 200)
    assert(ms < (await limitFor(whole, 1000)), `${ms} ms`)
    assert.equal(runs.length, 1)
    assert.equal(run.payload.type, 'task.cancelled')
    assert.equal(run.payload.task_id, body.task.id)
  })

  test('copies events to the agents’ log, except internal ones, and empties the outbox', async (t) => {
    const agent = await market.agent()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    await agent.post(`/tasks/${body.task.id}/cancel`)
    const before = await market.asOwner('select type from outbox order by position')

    relay(t, agent.id)
    await untilEmpty()

    const events = await market.asOwner('select type, task_id from events where agent_id = $1', [
      agent.id,
    ])
    assert.deepEqual(before, [{ type: 'task.created' }, { type: 'task.cancelled' }])
    assert.deepEqual(events, [{ type: 'task.cancelled', task_id: body.task.id }])
  })

  test('run twice concurrently moves each event once, and adds each job once', async (t) => {
    const agent = await market.agent()
    await fill(agent.id, 5000)

    relay(t, agent.id, [whenCancelled])
    relay(t, agent.id, [whenCancelled])
    await untilEmpty()

    const [events] = await market.asOwner(
      `select count(*)::integer as count, count(distinct id)::integer as ids
         from events where agent_id = $1`,
      [agent.id],
    )
    const [jobs] = await market.asOwner(
      `select count(*)::integer as count, min(max_attempts)::integer as attempts
         from graphile_worker.jobs where task_identifier = 'test.whenCancelled'`,
    )
    assert.deepEqual(events, { count: 5000, ids: 5000 })
    assert.deepEqual(jobs, { count: 5000, attempts: 4 })
  })

  test('adds the jobs of one batch in the order of its events', async (t) => {
    const agent = await market.agent()
    await market.asOwner('delete from graphile_worker._private_jobs')
    await fill(agent.id, 500)

    relay(t, agent.id, [whenCancelled])
    await untilEmpty()

    const rows = await market.asOwner(
      `select payload ->> 'id' as id from graphile_worker._private_jobs order by id`,
    )
    const ids = rows.map(({ id }) => id as string)
    assert.equal(ids.length, 500)
    assert.deepEqual(ids, ids.toSorted())
  })

  test('leaves the events in the outbox if their jobs cannot be added', async (t) => {
    const agent = await market.agent()
    await fill(agent.id, 3)
    const impossible: Job = { ...whenCancelled, attemptsMax: 0 }

    const failing = relay(t, agent.id, [impossible])
    await eventually('it has failed', 30_000, async () => failing.errors().at(0))
    await failing.stop()
    const left = await market.asOwner('select from outbox')
    const logged = await market.asOwner('select from events where agent_id = $1', [agent.id])
    relay(t, agent.id)
    await untilEmpty()

    assert.equal(left.length, 3)
    assert.equal(logged.length, 0)
    assert.match(failing.errors()[0]!, /max_attempts/)
  })

  test('keeps up with 20,000 events', async (t) => {
    const agent = await market.agent()
    await fill(agent.id, 20_000)
    await market.asOwner(`vacuum analyze ${outboxOf(agent.id)}`)

    const before = performance.now()
    relay(t, agent.id)
    await untilEmpty()
    const seconds = (performance.now() - before) / 1000

    t.diagnostic(`${Math.round(20_000 / seconds)} events/s`)
    assert(seconds < 20)
    const [events] = await market.asOwner(
      'select count(*)::integer as count from events where agent_id = $1',
      [agent.id],
    )
    assert.equal(events!.count, 20_000)
  })
})

/** Of the shard of this agent. */
function relay(t: TestContext, agentId: string, jobs: Job[] = []) {
  const lines: string[] = []
  const log = openLog('error', { write: (line) => void lines.push(line) })
  const running = startRelay(
    { ...market.backgroundAt(agentId), log },
    {
      jobs,
      take: (tx, limit) => takeEvents(tx, limit, { now: market.now() }),
      traceDeliveries,
    },
  )
  t.after(() => running.stop())
  return { stop: running.stop, errors: () => lines }
}

const outboxOf = (agentId: string) => `${market.at(agentId).schema.name}.outbox`

/** Adds this many events, with ids in the order of their positions. */
async function fill(agentId: string, count: number): Promise<void> {
  await market.asOwner(
    `insert into ${outboxOf(agentId)} (id, type, agent_id, data, created_at)
     select 'evt_' || right($1, 12) || lpad(i::text, 14, '0'), 'task.cancelled', $1, '{"task": {}}', now()
       from generate_series(1, $2::integer) i order by i`,
    [agentId, count],
  )
}

async function untilEmpty(): Promise<void> {
  await eventually('the outbox is empty', 60_000, async () => {
    const rows = await market.asOwner('select from outbox limit 1')
    return rows.length === 0 ? true : undefined
  })
}
