/**
 * Approvals whose agent and worker live in two PostgreSQL clusters, while processes are killed at every step and on both
 * sides. `npm test` kills CROSSING_KILLS (5) times; docs/shards.md has a larger run.
 */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { CROSSING_STEPS } from '../../src/kit/crash-points.ts'
import { startChild } from '../faults/server-child.ts'
import { call, type TestWorker } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { type Agent, openClusters } from './clusters.ts'

const KILLS = Number(process.env.CROSSING_KILLS ?? 5)
const TASKS_PER_KILL = 6
const BUDGET_CENTS = 100
const PAY_CENTS = 82
const SETTLED_MS = 10_000
const VISIBLE_MS = 1_000

const WHERE = [...CROSSING_STEPS, 'at any time', 'a backend of main', 'a backend of b'] as const

const clusters = await openClusters({ LOG_LEVEL: 'silent' })
const { market } = clusters
const pairs: { agent: Agent; worker: TestWorker }[] = [
  { agent: await clusters.agentIn('main'), worker: await clusters.workerIn('b') },
  { agent: await clusters.agentIn('b'), worker: await clusters.workerIn('main') },
]
const own = market.server.addresses.api!

interface Proven {
  id: string
  agent: Agent
  worker: TestWorker
  key: string
}

async function proven(): Promise<Proven[]> {
  const made = Array.from({ length: TASKS_PER_KILL }, async (_, i) => {
    const { agent, worker } = pairs[i % pairs.length]!
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: BUDGET_CENTS })
    const id = body.task.id as string
    assert.equal((await worker.post(`/worker/tasks/${id}/accept`)).status, 200)
    assert.equal((await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })).status, 201)
    return { id, agent, worker, key: randomUUID() }
  })
  return Promise.all(made)
}

const approve = (api: string, { id, agent, key }: Proven) =>
  call(api, 'POST', `/tasks/${id}/approve`, {
    headers: { authorization: `Bearer ${agent.api_key}`, 'idempotency-key': key },
  })

async function payOf({ id, worker }: Proven): Promise<number> {
  const { rows } = await market.at(worker.id).pool.query(
    `select coalesce(sum(amount_cents), 0)::int as cents from transfers
        where task_id = $1 and worker_id = $2 and credit = 'liab:worker_payable'`,
    [id, worker.id],
  )
  return rows[0].cents as number
}

/** The lines of a task through clearing, on both sides: what entered less what left. */
async function clearingOf({ id, agent, worker }: Proven): Promise<number> {
  let cents = 0
  for (const db of [market.at(agent.id), market.at(worker.id)]) {
    const { rows } = await db.pool.query(
      `select coalesce(sum(case credit when 'liab:clearing' then amount_cents else -amount_cents end), 0)::int as cents
         from transfers where task_id = $1 and 'liab:clearing' in (debit, credit)`,
      [id],
    )
    cents += rows[0].cents as number
  }
  return cents
}

/** Kills one server process of PostgreSQL; the others then end as well, and the cluster recovers. */
async function killBackend(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>(
    `select pid from pg_stat_activity where application_name = 'legwork' and pid <> pg_backend_pid()
      order by (state = 'active') desc, random() limit 1`,
  )
  if (rows[0]) process.kill(rows[0].pid, 'SIGKILL')
  await client.end().catch(() => {})
}

/** Sends the approvals to a process that is killed, or whose database is. Returns those that were acknowledged. */
async function approveAndKill(
  t: TestContext,
  where: (typeof WHERE)[number],
  tasks: Proven[],
): Promise<Proven[]> {
  const isBackend = where.startsWith('a backend')
  const child = isBackend
    ? undefined
    : await startChild(t, {
        roles: ['api'],
        settings: {
          ...clusters.settings,
          LOG_LEVEL: 'silent',
          WORKER_TOKEN_KEYS: market.server.config.WORKER_TOKEN_KEYS!,
          WEBHOOK_SECRET_KEYS: market.server.config.WEBHOOK_SECRET_KEYS.join(','),
          RATE_LIMITS: 'off',
          AGENT_CAPS: 'off',
          CRASH_AT: where.startsWith('crossing') ? where : '',
        },
      })
  const sent = tasks.map((task) => approve(child?.api ?? own, task).catch(() => undefined))
  await sleep(Math.random() * 40)
  if (isBackend) await killBackend(where.endsWith('main') ? clusters.main.url : clusters.second.url)
  else if (where === 'at any time') await child!.kill()
  const replies = await Promise.all(sent)
  await child?.kill()
  return tasks.filter((_, i) => replies[i]?.status === 200)
}

function p99(times: number[]): number {
  const sorted = times.toSorted((a, b) => a - b)
  return Math.round(sorted[Math.ceil(sorted.length * 0.99) - 1] ?? 0)
}

describe(`${KILLS} kills`, () => {
  /** How long after the response the pay was visible, if a process was killed, or a database that had to recover. */
  const delays: Record<'process' | 'database', number[]> = { process: [], database: [] }
  let acknowledgedInAll = 0

  for (let kill = 0; kill < KILLS; kill += 1) {
    const where = WHERE[kill % WHERE.length]!
    test(`${kill + 1}: ${where}: every approval pays once, and clearing returns to 0`, async (t) => {
      const tasks = await proven()

      const acknowledged = await approveAndKill(t, where, tasks)

      for (const task of acknowledged) {
        const startedMs = performance.now()
        await eventually('the pay is visible', SETTLED_MS, async () =>
          (await payOf(task).catch(() => 0)) === PAY_CENTS ? true : undefined,
        )
        const killed = where.startsWith('a backend') ? 'database' : 'process'
        delays[killed].push(performance.now() - startedMs)
      }
      acknowledgedInAll += acknowledged.length
      // A client repeats what was not acknowledged, with the same key.
      for (const task of tasks)
        await eventually('the approval is accepted', SETTLED_MS, async () =>
          (await approve(own, task)).status === 200 ? true : undefined,
        )
      for (const task of tasks) {
        await eventually('clearing is 0', SETTLED_MS, async () =>
          (await clearingOf(task)) === 0 && (await payOf(task)) > 0 ? true : undefined,
        )
        assert.equal(await payOf(task), PAY_CENTS, 'paid once')
      }
    })
  }

  test('the pay of acknowledged approvals was visible within a second, and the books are right', async (t) => {
    t.diagnostic(
      `${KILLS} kills, ${KILLS * TASKS_PER_KILL} approvals, ${acknowledgedInAll} acknowledged`,
    )
    t.diagnostic(`pay visible after the response, a process killed: p99 ${p99(delays.process)} ms`)
    t.diagnostic(`with a database that recovers: p99 ${p99(delays.database)} ms`)
    assert(p99(delays.process) <= VISIBLE_MS)
    for (const { worker } of pairs)
      assert.equal(await market.payable(worker.id), (KILLS * TASKS_PER_KILL * PAY_CENTS) / 2)
    assert.deepEqual(await market.audit(), [])
  })
})
