/**
 * Which schemas a worker's page touches, in a market with sixteen shards. The worker's tasks are those of an agent on
 * another shard, so a page that read the agent's side would show here.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type pg from 'pg'
import { endpoints } from '../../src/endpoints.ts'
import type { Db } from '../../src/kit/db.ts'
import { marketplace, type TestWorker } from '../harness.ts'
import { makeObject, OBJECTS, requestFor } from '../requests.ts'

/** A page that needs more than the worker's own shard: what it touches, and why. */
const MORE: Record<string, { touches: readonly Place[]; why: string }> = {
  'GET /worker/feed': { touches: ['own', 'feed'], why: 'tasks are in the feed, the worker is not' },
  'GET /worker/feed/:id': {
    touches: ['own', 'object'],
    why: 'the task itself says whether it is still open',
  },
  'GET /worker/tasks/:id': {
    touches: ['own', 'object'],
    why: 'proofs and files stay with their task',
  },
  'GET /worker/leaderboard': { touches: ['own', 'all'], why: 'ranks the workers of all shards' },
  'GET /worker/questions': {
    touches: ['own', 'global'],
    why: 'how soon we answer is measured over all questions',
  },
  'GET /worker/export': {
    touches: ['own', 'all'],
    why: 'proofs and files stay with their tasks; asked for once in a while',
  },
}

type Place = 'own' | 'object' | 'feed' | 'global' | 'all'

const market = await marketplace({ shards: 16 })
const { shards } = market.server.db
const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
const schemas = [...shards.all, shards.global, shards.feed]
/** Every process measures on all shards, every few seconds, how long events have been waiting. */
const BACKLOG = /^\s*select (?:\(select o\.created_at from outbox|"created_at" from "outbox")/
const touched = new Set<Db>()
const heard = new WeakSet<pg.PoolClient>()
for (const db of schemas) db.pool.on('acquire', (client) => listen(client, () => touched.add(db)))
after(() => schemas.forEach((db) => db.pool.removeAllListeners('acquire')))

/** Calls `onStatement` for each statement, except those of the measurement of the backlog. */
function listen(client: pg.PoolClient, onStatement: () => void): void {
  if (heard.has(client)) return
  heard.add(client)
  const query = client.query.bind(client) as (...args: unknown[]) => unknown
  client.query = ((...args: unknown[]) => {
    const [statement] = args
    const text = typeof statement === 'string' ? statement : (statement as { text: string }).text
    if (!BACKLOG.test(text)) onStatement()
    return query(...args)
  }) as typeof client.query
}

async function workerApart(): Promise<TestWorker> {
  for (;;) {
    const worker = await market.worker({ approvals: 100 })
    if (market.at(worker.id) !== market.at(agent.id)) return worker
  }
}

const pages = endpoints.filter(({ auth, method }) => auth === 'worker' && method === 'GET')

describe('a worker’s page', () => {
  for (const { method, path } of pages) {
    const name = `${String(method)} ${path}`
    const { touches, why } = MORE[name] ?? { touches: ['own'] as const, why: '' }

    test(`${name} touches ${why ? `${touches.join(' and ')}: ${why}` : 'one shard'}`, async () => {
      const worker = await workerApart()
      await makeObject(market, 'submitted', { agent, worker })
      await makeObject(market, 'completed', { agent, worker })
      const object = OBJECTS[name]
      const id = object && (await makeObject(market, object, { agent, worker }))
      await market.work()
      const places: Record<Place, readonly Db[]> = {
        own: [market.at(worker.id)],
        object: id ? [market.at(id)] : [],
        feed: [shards.feed],
        global: [shards.global],
        all: shards.all,
      }
      const allowed = new Set(touches.flatMap((place) => places[place]))

      touched.clear()
      const answer = await worker.get(requestFor(market, { method, path }, id).path)

      assert.equal(answer.status, 200)
      assert(touched.has(market.at(worker.id)), 'the worker’s shard was not seen')
      const others = [...touched].filter((db) => !allowed.has(db))
      assert.deepEqual(
        others.map(({ schema }) => schema.name),
        [],
      )
    })
  }

  test('control: a page that may touch more does', async () => {
    const worker = await workerApart()
    touched.clear()

    await worker.get('/worker/leaderboard')

    assert.equal(shards.all.filter((db) => touched.has(db)).length, 16)
  })

  test('every exception is a page', () => {
    const names = pages.map(({ method, path }) => `${String(method)} ${path}`)
    assert.deepEqual(
      Object.keys(MORE).filter((name) => !names.includes(name)),
      [],
    )
  })
})
