import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { job } from '../kit/job.ts'
import { mintId, shardOf } from '../kit/ids.ts'

const QUEUED = Number(process.env.TEST_MODE_JOBS ?? 1000)
const HOLD_MS = 20
const ran: { agentId: string; at: number }[] = []

const slow = job({
  name: 'probe.slow',
  payload: z.object({ agent_id: z.string() }),
  attemptsMax: 1,
  events: ['task.created'],

  async run({ payload }) {
    await sleep(HOLD_MS)
    ran.push({ agentId: payload.agent_id, at: performance.now() })
  },
})

const market = await marketplace({
  roles: ['api', 'jobs'],
  clock: 'real',
  moreJobs: [slow],
  settings: { JOBS_CONCURRENCY: 1, TEST_JOBS_CONCURRENCY: 1, RELAY_INTERVAL_MS: 20 },
})

async function happen(agentId: string, count: number): Promise<void> {
  const now = new Date()
  const ids = Array.from({ length: count }, () => mintId('evt', now, shardOf(agentId)))
  await market.asOwner(
    `insert into ${market.at(agentId).schema.name}.outbox (id, type, agent_id, data, created_at)
       select id, 'task.created', $2, '{}', now() from unnest($1::text[]) id`,
    [ids, agentId],
  )
}

/** How many of the others' jobs ran before the first job of an agent that came later. */
async function ranBefore(others: string, count: number): Promise<number> {
  const { id } = await market.agent()
  ran.length = 0
  await happen(others, count)
  await eventually('the queue is at work', 20_000, async () => ran.length > 0 || undefined)
  await happen(id, 1)
  await eventually(
    'the job of the live agent has run',
    60_000,
    async () => ran.some(({ agentId }) => agentId === id) || undefined,
  )
  return ran.findIndex(({ agentId }) => agentId === id)
}

test('a live job waits only behind live jobs, not behind jobs of test agents', async () => {
  const live = await market.agent()
  const { id: testId } = (await live.test.get('/agents/me')).body.agent

  const behindLive = await ranBefore(live.id, 100)
  const behindTest = await ranBefore(testId, QUEUED)

  assert.equal(behindLive, 100)
  assert(behindTest < 150, `${behindTest} jobs of test mode came first`)
  await market.asOwner(`delete from graphile_worker._private_jobs where locked_at is null`)
})
