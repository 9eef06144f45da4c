import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { type Reputation, reputationOf, reputationsOf } from './reputations.ts'

const market = await marketplace()

describe('reputationsOf', () => {
  test('counts the last 100 verdicts of each agent, and caches them for a minute', async () => {
    const [strict, silent] = [await market.agent(), await market.agent()]
    await judge(strict.id, { count: 30, status: 'disputed', minutes: 600, ago: 1000 })
    await judge(strict.id, { count: 75, status: 'completed', minutes: 10, ago: 500 })
    await judge(strict.id, { count: 5, status: 'disputed', minutes: 20, ago: 100 })
    await dispute(strict.id, ['overturned', 'upheld', 'open', 'withdrawn', 'upheld', 'held'])

    const first = await read([strict.id, silent.id, strict.id])

    assert.deepEqual(first.get(strict.id), {
      verdicts: 100,
      disputes: 5,
      approval_rate: 0.75,
      overturn_rate: 0.2,
      median_review_s: 600,
      paid_chance: 84 / 110,
    })
    assert.deepEqual(first.get(silent.id), {
      verdicts: 0,
      disputes: 0,
      approval_rate: null,
      overturn_rate: null,
      median_review_s: null,
      paid_chance: 0.9,
    })

    await judge(silent.id, { count: 5, status: 'completed', minutes: 5, ago: 1 })
    const soon = await read([silent.id])
    market.advance(60_000)
    const later = await read([silent.id])

    assert.equal(soon.get(silent.id)!.approval_rate, null)
    assert.equal(later.get(silent.id)!.approval_rate, 1)
    await market.deleteTasks('true')
  })

  test('is shown on every card of the feed', async () => {
    const agent = await market.agent({ balanceCents: 1000 })
    const worker = await market.worker()
    await judge(agent.id, { count: 4, status: 'completed', minutes: 6, ago: 50 })
    await judge(agent.id, { count: 1, status: 'disputed', minutes: 6, ago: 40 })
    await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
    await market.events()

    const { body } = await worker.get('/worker/feed')

    assert.deepEqual(
      (body.tasks as Json[]).map(({ agent: shown }) => shown),
      [
        {
          id: agent.id,
          name: agent.name,
          verdicts: 5,
          disputes: 0,
          approval_rate: 0.8,
          overturn_rate: null,
          median_review_s: 360,
        },
      ],
    )
    await market.deleteTasks('ended_at is not null')
  })

  test('does not cache the copy on a worker’s shard, which may be old', async () => {
    const agent = await market.agent({ balanceCents: 1000 })
    const { workers } = await market.taskIn(agent, 'completed', { budget_cents: 500 })
    await judge(agent.id, { count: 5, status: 'disputed', minutes: 5, ago: 1 })
    market.advance(60_000)

    const { status, text } = await workers[0]!.get('/worker/tasks')

    assert.equal(status, 200, text)
    assert.equal((await read([agent.id])).get(agent.id)!.verdicts, 6)
    await market.deleteTasks(`agent_id = $1 and proof_at < created_at`, [agent.id])
  })
})

describe('reputationOf', () => {
  test('rounds the median to whole seconds', () => {
    const { median_review_s } = reputationOf({
      judged: 5,
      approved: 1,
      disputes: 0,
      overturned: 0,
      median_review_s: 90.5,
    })

    assert.equal(median_review_s, 91)
  })

  test('tells no rate and no time from fewer than five cases, but how many there are', () => {
    const { paid_chance: _, ...shown } = reputationOf({
      judged: 4,
      approved: 3,
      disputes: 4,
      overturned: 1,
      median_review_s: 90,
    })

    assert.deepEqual(shown, {
      verdicts: 4,
      disputes: 4,
      approval_rate: null,
      overturn_rate: null,
      median_review_s: null,
    })
  })
})

/** On the shards of the agents. */
async function read(agentIds: string[]): Promise<Map<string, Reputation>> {
  const found = []
  for (const [{ reader }, ids] of Map.groupBy(agentIds, market.at))
    found.push(...(await reputationsOf(reader, ids, market.now())))
  return new Map(found)
}

/** Inserts judged tasks without the money movements. */
async function judge(
  agentId: string,
  { count, status, minutes, ago }: { count: number; status: string; minutes: number; ago: number },
): Promise<void> {
  const at = market.now()
  await market.asOwner(
    `insert into tasks (id, agent_id, mode, type, status, description, budget_cents, budget_basis, locked_cents,
                        escrow_cents, funding, urgency, proof_required, consensus_count, deadline, auto_approve_after,
                        min_worker_level, skills, context, created_at, updated_at, ended_at, proof_at)
       select id, $2, 'live', 'custom', $3::task_status, 'Look', 500, 'total', 500, 0, 'wallet', 'standard', 'text', 1,
              $4, 86400, 1, '{}', '{}', $4, $4, $4::timestamptz - make_interval(mins => $6::integer),
              $4::timestamptz - make_interval(mins => $6::integer + $5::integer)
         from unnest($1::text[]) id`,
    [
      Array.from({ length: count }, () => mintId('task', at, shardOf(agentId))),
      agentId,
      status,
      at,
      minutes,
      ago,
    ],
  )
}

async function dispute(agentId: string, statuses: string[]): Promise<void> {
  const at = market.now()
  for (const status of statuses)
    await market.asOwner(
      `insert into disputes (id, task_id, agent_id, assignment_ids, reason, status, touches_trust, refunded_cents,
                             created_at)
         values ($1, $1, $2, '{}', 'Blurred', $3, true, 0, $4)`,
      [mintId('dsp', at, shardOf(agentId)), agentId, status, at],
    )
}
