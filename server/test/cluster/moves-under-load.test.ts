/**
 * Schemas move between two PostgreSQL clusters while agents create tasks over HTTP and workers do them. No request fails,
 * and nothing that was acknowledged is lost. `npm test` makes MOVES (2) moves; docs/shards.md has a run of ten.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { migrateElsewhere } from '../../src/migrate.ts'
import { finishMove, moveSchema } from '../../src/shards/move-schema.ts'
import type { Reply, TestWorker } from '../harness.ts'
import { type Agent, openClusters } from './clusters.ts'

const MOVES = Number(process.env.MOVES ?? 2)
/** Clients that each create one task after the other. */
const CREATORS = Number(process.env.CREATORS ?? 8)
const PAUSE_MAX_MS = 2000

const clusters = await openClusters({ LOG_LEVEL: 'silent', DATABASE_CONNECTIONS: 32 })
const { market } = clusters
const places = {
  main: { name: 'main', url: clusters.main.url },
  b: { name: 'b', url: clusters.second.url },
}

/** An agent in every schema that moves, so that each move is under load. */
async function agentsOf(schemas: readonly string[]): Promise<Agent[]> {
  const agents: Agent[] = []
  while (agents.length < schemas.length) {
    const agent = await market.agent({ balanceCents: 100_000_000, freeTasks: false })
    const { name } = market.at(agent.id).schema
    if (schemas.includes(name) && !agents.some(({ id }) => market.at(id).schema.name === name))
      agents.push(agent)
  }
  return agents
}

interface Log {
  created: { id: string; agent: Agent }[]
  approved: string[]
  failed: Reply[]
  slowestMs: number
}

async function send(log: Log, request: () => Promise<Reply>): Promise<Reply> {
  const startedMs = performance.now()
  const reply = await request()
  log.slowestMs = Math.max(log.slowestMs, performance.now() - startedMs)
  if (reply.status >= 300) log.failed.push(reply)
  return reply
}

async function create(log: Log, agent: Agent): Promise<string | undefined> {
  const { status, body } = await send(log, () =>
    agent.post('/tasks', { description: 'Look', budget_cents: 100 }),
  )
  if (status !== 201) return undefined
  const id = body.task.id as string
  log.created.push({ id, agent })
  return id
}

async function workOn(log: Log, agent: Agent, worker: TestWorker): Promise<void> {
  const id = await create(log, agent)
  if (id === undefined) return
  await send(log, () => worker.post(`/worker/tasks/${id}/accept`))
  await send(log, () => worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' }))
  const { status } = await send(log, () => agent.post(`/tasks/${id}/approve`))
  if (status === 200) log.approved.push(id)
}

const move = (schema: string, from: keyof typeof places, to: keyof typeof places) => ({
  schema: { name: schema, role: `legwork_app_${schema}` },
  source: places[from],
  target: places[to],
  main: places.main,
  addSchema: (url: string) =>
    migrateElsewhere(url, { ...schemaNamed(schema), database: to }, { log: { info() {} } }),
  onProgress: () => {},
})

const schemaNamed = (name: string) =>
  market.server.db.shards.all.find(({ schema }) => schema.name === name)!.schema

describe(`${MOVES} moves of schemas under load`, () => {
  test('no request fails, and nothing acknowledged is lost', async (t) => {
    const schemas = Array.from(
      { length: MOVES },
      (_, i) => `s${String(((i * 8) % 16) | (i >> 1)).padStart(2, '0')}`,
    )
    const agents = await agentsOf(schemas)
    const workers = [await clusters.workerIn('main'), await clusters.workerIn('b')]
    const log: Log = { created: [], approved: [], failed: [], slowestMs: 0 }
    let isOver = false
    const startedMs = performance.now()
    const load = [
      ...Array.from({ length: CREATORS }, async (_, i) => {
        for (let n = i; !isOver; n += 1) await create(log, agents[n % agents.length]!)
      }),
      ...workers.map(async (worker, i) => {
        for (let n = i; !isOver; n += 1) await workOn(log, agents[n % agents.length]!, worker)
      }),
    ]

    const pauses: number[] = []
    t.after(() => (isOver = true))
    for (const schema of schemas) {
      const from = schemaNamed(schema).database as keyof typeof places
      const to = from === 'main' ? 'b' : 'main'
      const { pauseMs } = await moveSchema(move(schema, from, to))
      pauses.push(pauseMs!)
      await sleep(200)
      await finishMove(move(schema, from, to))
      assert.equal(schemaNamed(schema).database, to, 'the server follows')
    }
    isOver = true
    await Promise.all(load)
    const seconds = (performance.now() - startedMs) / 1000

    t.diagnostic(
      `${log.created.length} tasks created, ${Math.round(log.created.length / seconds)} a second`,
    )
    t.diagnostic(`${log.approved.length} approved, ${log.failed.length} requests failed`)
    t.diagnostic(
      `pauses ${pauses.map((ms) => Math.round(ms)).join(', ')} ms; slowest request ${Math.round(log.slowestMs)} ms`,
    )
    assert.deepEqual(log.failed, [])
    assert(Math.max(...pauses) <= PAUSE_MAX_MS)
    for (const [agent, made] of Map.groupBy(log.created, (one) => one.agent)) {
      const { rows } = await market
        .at(agent.id)
        .pool.query('select id from tasks where agent_id = $1', [agent.id])
      const kept = new Set(rows.map(({ id }) => id as string))
      assert.deepEqual(
        made.filter(({ id }) => !kept.has(id)),
        [],
      )
    }
    const paid = (await Promise.all(workers.map(({ id }) => market.payable(id)))).reduce(
      (a, b) => a + b,
    )
    assert.equal(paid, log.approved.length * 82)
    assert.deepEqual(await market.audit(), [])
  })
})
