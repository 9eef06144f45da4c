/** A worker's pages need nothing of an agent on another shard but the copies of server/test/away.ts. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { findSeeker } from '../src/feed/seeker.ts'
import { call } from '../src/kit/call.ts'
import { earningsOf } from '../src/payouts/open.ts'
import { tasksOf } from '../src/workers/mail-decision.ts'
import { shutOutDisputes } from '../src/workers/shut-out-disputes.ts'
import { copyAway, moveAway } from './away.ts'
import { freshDatabase, Marketplace, PHOTO, startOn, type TestWorker } from './harness.ts'
import { atEnd } from './hooks.ts'
import { steppedClock } from './stepped-clock.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const STATUSES = [
  'accepted',
  'submitted',
  'approved',
  'disputed',
  'released',
  'expired',
  'cancelled',
] as const

/** A page that shows something of each table of copies. */
const NEEDED_BY = {
  away_agents: '/worker/export',
  away_tasks: '/worker/payouts?limit=3',
  away_assignments: '/worker/tasks?limit=100',
  away_disputes: '/worker/trust',
  away_appeals: '/worker/earnings?period=all',
  away_reports: '/worker/export',
  away_commissions: '/worker/earnings?period=all',
}

/**
 * One schema, whatever TEST_SHARDS says: agents are moved away by hand. Without the audit at the end: the agents' part
 * of the books is gone by then.
 */
async function marketWithoutAudit(): Promise<Marketplace> {
  const url = await freshDatabase(1)
  const clock = steppedClock()
  // The third dispute of an agent is held.
  const settings = { DISPUTES_BEFORE_REVIEW: 2, WORKER_TOKEN_DAYS: 90 }
  const options = { settings, clockOverride: clock }
  const server = await startOn(url, options)
  const market = new Marketplace(url, server, clock, options)
  atEnd(async () => {
    await market.stop()
    await server.stop()
  })
  return market
}

const market = await marketWithoutAudit()
type Agent = Awaited<ReturnType<typeof market.agent>>

interface Life {
  worker: TestWorker
  /** The agents that move to another shard. */
  agentIds: string[]
  taskIds: string[]
  /** A task of an agent that stays. */
  openId: string
}

/** A worker who has had tasks of two agents that will move and one that stays, in every state. */
async function liveLife(): Promise<Life> {
  const worker = await market.worker({ approvals: 100 })
  const other = await market.worker({ approvals: 100 })
  // Only then do the worker's reports have a weight.
  await market.asOwner(
    `update workers set created_at = created_at - interval '30 days' where id = $1`,
    [worker.id],
  )
  const funds = { balanceCents: 90_000, freeTasks: false }
  const acme = await market.agent({ ...funds, name: 'Acme' })
  const beta = await market.agent({ ...funds, name: 'Beta' })
  const home = await market.agent({ ...funds, name: 'Home' })
  const taskIds: string[] = []

  const post = async (agent: Agent, fields: object = {}) => {
    const { body, text } = await agent.post('/tasks', {
      title: `Task ${taskIds.length + 1}`,
      description: 'Look at the shop. Then tell.',
      budget_cents: 1237,
      context: { shelf: taskIds.length },
      ...fields,
    })
    assert(body.task, text)
    taskIds.push(body.task.id as string)
    return body.task.id as string
  }
  const accept = async (agent: Agent, fields: object = {}) => {
    const id = await post(agent, fields)
    ok(await worker.post(`/worker/tasks/${id}/accept`))
    return id
  }
  const prove = async (agent: Agent, fields: object = {}, proof: object = { text: 'Done' }) => {
    const id = await accept(agent, fields)
    market.advance(61_000)
    ok(await worker.post(`/worker/tasks/${id}/proof`, proof))
    return id
  }
  const approved = async (agent: Agent, fields: object = {}, verdict: object = {}) =>
    ok(await agent.post(`/tasks/${await prove(agent, fields)}/approve`, verdict))
  const disputed = async (agent: Agent) => {
    const id = await prove(agent)
    ok(await agent.post(`/tasks/${id}/dispute`, { reason: `Too dark ${id}` }))
    return id
  }
  const appealed = async (agent: Agent) => {
    const id = await disputed(agent)
    ok(await worker.post(`/worker/tasks/${id}/appeal`, { statement: 'It was night' }))
    return id
  }

  // The time of two slots runs out.
  for (const agent of [acme, home]) await accept(agent, { consensus_count: 2, deadline: '30d' })
  market.advance(25 * HOUR)
  await market.sweep()
  await market.work()

  await approved(acme, { type: 'verification' }, { tip_cents: 333 })
  for (const agent of [acme, beta, home]) {
    for (let i = 0; i < 3; i += 1) await approved(agent, { budget_cents: 701 + i })
    // Two workers share the commission.
    const shared = await prove(agent, { consensus_count: 2, budget_cents: 999 })
    ok(await other.post(`/worker/tasks/${shared}/accept`))
    ok(await other.post(`/worker/tasks/${shared}/proof`, { text: 'Done' }))
    ok(await agent.post(`/tasks/${shared}/approve`))
    // Not judged, in progress, given back, canceled.
    await prove(agent, { proof_required: 'photo' }, { photos: [PHOTO], text: 'Here' })
    await accept(agent, { location: { lat: 52.5, lng: 13.4, address: 'Berlin' }, deadline: '2d' })
    const released = await accept(agent, { consensus_count: 2 })
    ok(await worker.post(`/worker/tasks/${released}/release`, { reason: 'Too far' }))
    ok(await agent.post(`/tasks/${await accept(agent)}/cancel`))
    // A revision, and a report of a task that the worker never had.
    const revised = await prove(agent)
    ok(await agent.post(`/tasks/${revised}/request-revision`, { note: 'Sharper, please' }))
    const odd = await post(agent)
    ok(await worker.post(`/worker/tasks/${odd}/report`, { kind: 'scam', note: 'Odd' }))
  }
  // A dispute that was withdrawn, and appeals in each state.
  ok(await acme.post(`/tasks/${await disputed(acme)}/dispute/withdraw`))
  const answered = await appealed(acme)
  ok(await acme.post(`/tasks/${answered}/dispute/answer`, { statement: 'It was noon' }))
  await disputed(beta)
  await appealed(beta)
  await disputed(beta)
  await disputed(home)
  await appealed(home)
  const openId = await post(home, { consensus_count: 2 })
  await market.work()
  await market.sweep()
  await market.work()
  return { worker, agentIds: [acme.id, beta.id], taskIds, openId }
}

const ok = (reply: { status: number; text: string }) => assert(reply.status < 300, reply.text)

/** Every page of the worker as text, and what jobs and operators read of the worker. */
async function everything({ worker, agentIds, taskIds, openId }: Life) {
  const pages: Record<string, unknown> = {}
  const read = async (path: string): Promise<{ next_cursor?: string | null }> => {
    const reply = await worker.get(path)
    assert.equal(reply.status, 200, `${path}: ${reply.text}`)
    pages[path] = reply.text
    return reply.body
  }
  const readAll = async (path: string) => {
    for (let cursor = (await read(path)).next_cursor; cursor; )
      cursor = (await read(`${path}&cursor=${cursor}`)).next_cursor
  }
  await readAll('/worker/tasks?limit=100')
  await readAll('/worker/tasks?limit=4')
  for (const status of STATUSES) await readAll(`/worker/tasks?limit=100&status=${status}`)
  for (const period of ['day', 'week', 'month', 'year', 'all'])
    await read(`/worker/earnings?period=${period}`)
  await readAll('/worker/earnings/items?limit=3')
  for (const taskId of taskIds.filter((_, i) => i % 7 === 0)) {
    await read(`/worker/earnings/items?task_id=${taskId}`)
    await read(`/worker/payouts?task_id=${taskId}`)
  }
  await readAll('/worker/payouts?limit=3')
  for (const page of ['profile', `${worker.id}/public`, 'trust', 'close', 'notices', 'export'])
    await read(`/worker/${page}`)
  await readAll('/worker/feed?limit=5')

  const { db, server } = market
  const now = market.now()
  const { done } = await findSeeker(db, { workerId: worker.id, sought: {}, now })
  const [hidden] = await market.asOwner(
    `select array(select unnest(open_tasks_hidden_from($1, $2)) order by 1) as ids`,
    [worker.id, now],
  )
  const [weight] = await market.asOwner(`select tasks_report_weight($1, $2, 'scam', $3)`, [
    openId,
    worker.id,
    now,
  ])
  const since = { worker_id: worker.id, decided_at: new Date(0) }
  const earned = []
  for (const taskId of taskIds)
    earned.push(
      ...(await earningsOf(db.reader, taskId, undefined)).filter(
        ({ worker_id }) => worker_id === worker.id,
      ),
    )
  return {
    pages,
    done,
    hidden,
    weight,
    earned,
    disputes: await shutOutDisputes(db.reader, since, { config: server.config, now }),
    titles: await tasksOf(db.reader, { task_ids: taskIds.slice(0, 3) }),
    reputations: await call(db.reader, 'tasks_reputations', { p_agents: agentIds }),
  }
}

// First: after the agents' rows are gone, timers would miss them.
describe('the texts of copies', () => {
  test('end like those of the tasks', async () => {
    const worker = await market.worker()
    const agent = await market.agent({ balanceCents: 2000, freeTasks: false })
    for (const verdict of ['approve', 'dispute']) {
      const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
      const path = `/tasks/${body.task.id}`
      ok(await worker.post(`/worker${path}/accept`))
      ok(await worker.post(`/worker${path}/proof`, { text: 'Done' }))
      ok(await agent.post(`${path}/${verdict}`, verdict === 'dispute' ? { reason: 'No' } : {}))
      if (verdict === 'dispute')
        ok(await worker.post(`/worker${path}/appeal`, { statement: 'It was night' }))
    }
    const agentIds = [agent.id]
    await copyAway(market, { workerId: worker.id, agentIds })
    const texts = () =>
      market.asOwner(
        `select count(*)::int as copies,
                count(*) filter (where t.description like 'Removed%' and t.context::text = '{}')::int as removed
           from away_tasks t where t.agent_id = any($1) and t.ended_at is not null`,
        [agentIds],
      )
    assert.deepEqual(await texts(), [{ copies: 2, removed: 0 }])

    market.advance((market.server.config.TASK_TEXT_KEEP_DAYS + 60) * DAY)
    await market.sweep()

    // Of two tasks, one has an appeal that nobody has ruled on.
    assert.deepEqual(await texts(), [{ copies: 2, removed: 1 }])
  })
})

describe('a worker whose agents are on another shard', () => {
  test('sees the same pages, byte for byte, as if they were on the same shard', async () => {
    const life = await liveLife()
    const { worker, agentIds } = life
    const before = await everything(life)
    const inStatus = (status: string) => before.pages[`/worker/tasks?limit=100&status=${status}`]
    assert.deepEqual(
      STATUSES.filter((status) => inStatus(status) === '{"tasks":[],"next_cursor":null}'),
      [],
    )
    const copies = 'select id from away_assignments where worker_id = $1'
    assert.deepEqual(await market.asOwner(copies, [worker.id]), [])

    await moveAway(market, { workerId: worker.id, agentIds })
    const after = await everything(life)

    assert.deepEqual(after, before)
    assert(before.earned.length > 10 && before.disputes.length > 4 && before.hidden!.ids.length > 8)
    assert.equal(before.weight!.tasks_report_weight, 1)
    // Without one of the copies, a page differs.
    for (const [table, page] of Object.entries(NEEDED_BY)) {
      await market.asOwner(`create table saved as table ${table}`)
      await market.asOwner(`delete from ${table}`)
      assert.notEqual((await worker.get(page)).text, before.pages[page], table)
      // Without the triggers of shards.sql: it also has copies of another worker.
      await market.asOwner(
        `begin; set local session_replication_role = replica;
         insert into ${table} table saved; drop table saved; commit`,
      )
    }
  })
})
