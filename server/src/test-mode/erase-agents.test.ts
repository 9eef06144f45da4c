import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { filesOf } from '../files/files.ts'
import { readyKey } from '../files/store.ts'
import { type Json, marketplace, PHOTO } from '../../test/harness.ts'
import { foldCounts } from '../counts/fold.ts'
import { openReceiver } from '../../test/receiver.ts'

const market = await marketplace()
const DAY_MS = 86_400_000
const TASKS = 4
/** Tables whose rows disappear over time or are consumed, regardless of the erasure. */
const PASSING = ['outbox', 'deliveries', 'idempotency_keys', 'open_tasks', 'webhook_lanes']

async function made() {
  const { status, body, text } = await market.call('POST', '/test/agents', { body: {} })
  assert.equal(status, 201, text)
  return { ...(body.agent as Json), ...market.client(body.agent.test_api_key) } as Json &
    ReturnType<typeof market.client>
}
type Tester = Awaited<ReturnType<typeof made>>

/** A test agent that used every feature: scripts, a hand-played worker, files, disputes, webhooks, rejections. */
async function usedAgent(receiverUrl: string): Promise<Tester> {
  const agent = await made()
  await agent.patch('/agents/me', { webhook_url: receiverUrl })
  const ids: string[] = []
  for (let i = 0; i < TASKS; i += 1) {
    const { body, text } = await agent.post(
      '/tasks',
      {
        description: 'Look',
        budget_cents: 900,
        consensus_count: 3,
        proof_required: 'photo',
        context: { sim: i === 0 ? 'appeal' : 'happy' },
      },
      { 'idempotency-key': randomUUID() },
    )
    assert(body.task, text)
    ids.push(body.task.id as string)
  }
  await agent.post('/wallet/deposit', { amount_cents: 5000 })
  assert.equal((await agent.post('/test/clock/advance', { by: '1h' })).status, 200)
  assert.equal((await agent.post(`/tasks/${ids[0]}/dispute`, { reason: 'No' })).status, 200)
  assert.equal((await agent.post('/test/clock/advance', { by: '1h' })).status, 200)
  assert.equal((await agent.post(`/tasks/${ids[1]}/approve`)).status, 200)
  assert.equal((await agent.post('/tasks', { description: '' })).status, 400)
  const playing = (await agent.post('/test/workers', {})).body
  const worker = market.client(playing.token)
  const mine = await agent.post('/tasks', {
    description: 'Look',
    budget_cents: 500,
    proof_required: 'photo',
    context: { sim: 'me' },
  })
  const path = `/worker/tasks/${mine.body.task.id}`
  assert.equal((await worker.post(`${path}/accept`)).status, 200)
  const proof = await worker.post(`${path}/proof`, { photos: [PHOTO], text: 'Here' })
  assert.equal(proof.status, 201, proof.text)
  assert.equal((await agent.post(`/tasks/${mine.body.task.id}/approve`)).status, 200)
  await market.deliver()
  return agent
}

/** Rows of every table that name the agent or one of its workers, tasks or keys. */
async function rowsOf(ids: string[]): Promise<Record<string, number>> {
  const tables = await market.asOwner(
    `select distinct c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
      where (n.nspname in ('public', 'global', 'feed') or n.nspname in (select schema from shards))
        and c.relkind in ('r', 'p') and not c.relispartition and c.relname <> 'migrations'`,
  )
  const counts: Record<string, number> = {}
  for (const { name } of tables) {
    const [row] = await market.asOwner(
      `select count(*)::int as count from ${name} t where t::text ~ $1`,
      [ids.join('|')],
    )
    if (row!.count > 0) counts[name as string] = row!.count as number
  }
  return counts
}

const idsOf = async (agentId: string): Promise<string[]> => [
  agentId,
  ...(
    await market.asOwner(
      `select id from workers where agent_id = $1 union all select id from tasks where agent_id = $1`,
      [agentId],
    )
  ).map(({ id }) => id as string),
]

const filesOfAgent = (agentId: string) =>
  market.asOwner(
    `select f.id, f.store_key from files f join workers w on w.id = f.worker_id where w.agent_id = $1`,
    [agentId],
  )

async function sweepUntilErased(agentId: string): Promise<void> {
  for (let i = 0; i < 20; i += 1) {
    await market.sweep()
    await market.work()
    const left = await market.asOwner('select from agents where id = $1', [agentId])
    if (left.length === 0) return
  }
  assert.fail('the agent is still there')
}

describe('an ended test agent', () => {
  test('is deleted within a day, with every row and every byte of its files, and nothing of others', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await usedAgent(receiver.url)
    const other = await usedAgent(receiver.url)
    await market.call('POST', '/agents/register', {
      body: { name: 'Claimed', email: `claimed-${randomUUID()}@example.com` },
      headers: { authorization: `Bearer ${other.test_api_key}` },
    })
    const live = await market.agent({ balanceCents: 5000 })
    const liveTask = await market.taskIn(live, 'completed')
    await market.work()
    await market.runJob(foldCounts)
    const ids = await idsOf(agent.id)
    const before = await rowsOf(ids)
    const kept = [await idsOf(other.id), [live.id, liveTask.id]]
    const keptBefore = [await rowsOf(kept[0]!), await rowsOf(kept[1]!)]
    const own = (await filesOfAgent(agent.id)).filter(
      ({ id, store_key }) => store_key === readyKey(id),
    )
    const { store } = filesOf(market.server.config)
    assert.equal(own.length, 1, 'scripted workers share their files')
    assert.notEqual(await store.size(readyKey(own[0]!.id)), undefined)
    for (const table of [
      'tasks',
      'assignments',
      'proofs',
      'files',
      'events',
      'transfers',
      'workers',
      'agent_counts',
      'counted_agents',
    ])
      assert(before[table]! > 0, `${table}: ${JSON.stringify(before)}`)

    market.advance(7 * DAY_MS)
    await market.sweep()
    await market.work()
    assert.equal(
      (await market.asOwner('select status from agents where id = $1', [agent.id]))[0]!.status,
      'closed',
    )
    market.advance(DAY_MS / 2)
    await sweepUntilErased(agent.id)

    assert.deepEqual(await rowsOf(ids), {})
    assert.equal(await store.size(readyKey(own[0]!.id)), undefined)
    const after = [await rowsOf(kept[0]!), await rowsOf(kept[1]!)]
    // Other agents continue: their open tasks were auto-approved, so some tables have more rows.
    for (const [i, counts] of keptBefore.entries())
      for (const [table, count] of Object.entries(counts))
        if (!PASSING.includes(table)) assert(after[i]![table]! >= count, `${table} of another`)
    // The photo that scripted workers share still exists for other agents.
    const photo = (await filesOfAgent(other.id)).find(
      ({ id, store_key }) => store_key !== readyKey(id),
    )
    assert.notEqual(await store.size(photo!.store_key), undefined)
    assert.deepEqual(await market.audit(), [])
  })

  test('is deleted in small steps, and after each the ledger of all others balances', async (t) => {
    const receiver = await openReceiver(t)
    const agent = await usedAgent(receiver.url)
    await market.asOwner(`update agents set status = 'closed' where id = $1`, [agent.id])
    await market.asOwner(
      `delete from files where worker_id in (select id from workers where agent_id = $1)`,
      [agent.id],
    )
    const erase = () =>
      market
        .at(agent.id)
        .pool.query('select relation, deleted from rehearsal_erase_agent($1, 25)', [agent.id])

    let steps = 0
    for (let isGone = false; !isGone; steps += 1) {
      const { rows } = await erase()
      isGone = rows.some(({ relation }) => relation === 'agents')
      const most = Math.max(...rows.map(({ deleted }) => Number(deleted)))
      assert(most <= 100, `${most} rows of one table in one step`)
      assert.deepEqual(await market.audit(), [])
    }

    assert(steps > TASKS, `${steps} steps`)
  })

  test('is the only agent that the database deletes: not a live, claimed or active one', async () => {
    const live = await market.agent({ balanceCents: 5000 })
    await market.taskIn(live, 'completed')
    const running = await made()
    const { id: twinId } = (await live.test.get('/agents/me')).body.agent
    // Not even agents that are marked as closed.
    await market.asOwner(`update agents set status = 'closed' where id = any($1)`, [
      [live.id, twinId],
    ])

    for (const id of [live.id, twinId, running.id, 'agent_nobody'])
      await assert.rejects(
        market.at(id).pool.query('select rehearsal_erase_agent($1, 500)', [id]),
        /is not an ended test agent/,
      )
    await assert.rejects(
      market.asOwner(`with on_ as (select set_config('legwork.erasing', 'x', false))
        delete from transfers using on_ where mode = 'live' and agent_id = '${live.id}'`),
      /append-only/,
    )
    await assert.rejects(market.asOwner(`delete from transfers where mode = 'test'`), /append-only/)
    await assert.rejects(market.at(live.id).pool.query('delete from tasks'), /permission denied/)
    await market.asOwner(`update agents set status = 'active' where id = any($1)`, [
      [live.id, twinId],
    ])
  })
})
