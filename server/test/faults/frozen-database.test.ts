/**
 * PostgreSQL is frozen: it accepts connections and never responds. Every request gets a 503 within ten seconds and
 * readiness fails within three; everything recovers after the thaw, without a restart.
 */
import assert from 'node:assert/strict'
import { mkdtempSync, readdirSync, readFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import pg from 'pg'
import { startPostgres } from '../../../scripts/postgres.ts'
import { openDb, openProbe } from '../../src/kit/db.ts'
import { openLog } from '../../src/kit/log.ts'
import { migrate } from '../../src/migrate.ts'
import { call, startOn } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { eventually } from '../jobs-child.ts'

const REFUSED_MS = 10_000
const UNREADY_MS = 3_000
const CONNECTIONS = 4

const postgres = await startPostgres({
  dataDir: mkdtempSync(path.join(os.tmpdir(), 'legwork-frozen-')),
  settings: { fsync: 'off', synchronous_commit: 'off', shared_buffers: '32MB' },
  temporary: true,
})
atEnd(() => postgres.stop())
await migrate(postgres.url, { log: openLog('silent') })
const server = await startOn(postgres.url, {
  clock: 'real',
  settings: { DATABASE_CONNECTIONS: CONNECTIONS, LOG_LEVEL: 'silent' },
})
atEnd(() => server.stop())
const api = server.addresses.api!

/** Signals the postmaster and all its children, for this test's own PostgreSQL only. */
function signal(name: 'SIGSTOP' | 'SIGCONT'): void {
  const parent = postgres.pid
  const children = readdirSync('/proc')
    .filter((entry) => /^\d+$/.test(entry))
    .filter((entry) => parentOf(entry) === parent)
    .map(Number)
  for (const pid of [parent, ...children]) {
    try {
      process.kill(pid, name)
    } catch {
      // It exited after it was listed.
    }
  }
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/\) \S (\d+)/.exec(readFileSync(`/proc/${pid}/stat`, 'utf8'))?.[1])
  } catch {
    return undefined
  }
}

async function timed<T>(work: Promise<T>): Promise<T & { ms: number }> {
  const begun = performance.now()
  const result = await work
  return { ...result, ms: performance.now() - begun }
}

async function newAgent(name: string) {
  const { body } = await call(api, 'POST', '/agents/register', {
    body: { name, email: `${name}@example.com` },
  })
  const headers = { authorization: `Bearer ${body.agent.api_key}` }
  return {
    id: body.agent.id as string,
    send: (method: string, path: string, init: object = {}, more: Record<string, string> = {}) =>
      call(api, method, path, { ...init, headers: { ...headers, ...more } }),
  }
}

describe('while PostgreSQL is frozen', () => {
  test('every request gets 503 within 10 s, readiness within 3 s; then everything recovers', async (t) => {
    const [ann, bob] = [await newAgent('ann'), await newAgent('bob')]
    const created = await ann.send('POST', '/tasks', {
      body: { description: 'Look', budget_cents: 100 },
    })
    const taskId = created.body.task.id as string
    const create = (key: string) =>
      ann.send(
        'POST',
        '/tasks',
        { body: { description: `Look at ${key}`, budget_cents: 100 } },
        { 'idempotency-key': key },
      )
    const waits = [
      ann.send('GET', `/tasks/${taskId}?wait=40`),
      ann.send('GET', '/events?after=latest&wait=40'),
    ]
    await sleep(600)

    signal('SIGSTOP')
    const frozenAt = performance.now()
    const readyz = timed(call(server.addresses.ops!, 'GET', '/readyz'))
    // Three times as many requests as there are connections.
    const asked = Array.from({ length: CONNECTIONS }, (_, i) => [
      ann.send('GET', '/wallet'),
      create(`frozen-${i}`),
      call(api, 'POST', '/agents/register', {
        body: { name: 'New', email: `new-${i}@example.com` },
      }),
    ]).flat()
    const unready = await readyz
    const refused = await Promise.all(asked)
    const ended = await Promise.all(waits)
    const allMs = performance.now() - frozenAt
    signal('SIGCONT')
    await eventually('it is ready again', 20_000, async () =>
      (await call(server.addresses.ops!, 'GET', '/readyz')).status === 200 ? true : undefined,
    )
    await eventually('requests are served again', 20_000, async () =>
      (await ann.send('GET', '/wallet')).status === 200 ? true : undefined,
    )

    assert.equal(unready.status, 503)
    assert(unready.ms < UNREADY_MS, `readiness took ${unready.ms} ms`)
    assert.deepEqual(unready.body.checks, {
      accepting: true,
      database: false,
      queue: false,
      clock: true,
    })
    for (const { status, body, headers } of [...refused, ...ended]) {
      assert.deepEqual([status, body.code], [503, 'unavailable'])
      assert.match(headers.get('retry-after') ?? '', /^\d+$/)
    }
    t.diagnostic(`readiness: ${Math.round(unready.ms)} ms; all refused: ${Math.round(allMs)} ms`)
    assert(allMs < REFUSED_MS, `the last one was answered after ${allMs} ms`)

    // A late database response would now go to the wrong request.
    const replies = await Promise.all(
      Array.from({ length: 40 }, async (_, i) => {
        const who = i % 2 === 0 ? ann : bob
        return (await who.send('GET', '/agents/me')).body.agent.id === who.id
      }),
    )
    assert(replies.every(Boolean))
    // Whether or not the frozen database received it, a retried request takes effect once.
    for (let i = 0; i < CONNECTIONS; i += 1) {
      await Promise.all([create(`frozen-${i}`), create(`frozen-${i}`)])
      const { status } = await create(`frozen-${i}`)
      assert(status === 201 || status === 402, String(status))
    }
    const client = new pg.Client({ connectionString: postgres.url })
    await client.connect()
    const { rows } = await client.query(
      `select count(*) filter (where state like 'idle in transaction%')::integer as open,
              (select count(*) - count(distinct description) from tasks)::integer as doubled
         from pg_stat_activity where datname = current_database()`,
    )
    await client.end()
    assert.deepEqual(rows, [{ open: 0, doubled: 0 }])
  })
})

describe('a slow statement', () => {
  test('is waited for while the database responds otherwise', async (t) => {
    const probe = openProbe(postgres.url)
    t.after(() => probe.close())
    const db = openDb(postgres.url, { isThere: probe.isThere, onError: () => {} })
    t.after(() => db.close())

    const rows = await db.call('sleepy', 'select 7 as answer from pg_sleep(3.5)', [])

    assert.deepEqual(rows, [{ answer: 7 }])
  })

  test('is given up if the database is down, and its connection is not reused', async (t) => {
    let isThere = false
    const db = openDb(postgres.url, {
      connectionsMax: 1,
      isThere: async () => isThere,
      onError: () => {},
    })
    t.after(() => db.close())

    const slow = db.transaction((tx) => sql`select pg_sleep(60)`.execute(tx))
    await assert.rejects(slow, { code: 'unavailable' })
    await assert.rejects(db.call('soon', 'select 1', []), { code: 'unavailable' })
    isThere = true
    const rows = await eventually('it is back', 30_000, () =>
      db.call('next', 'select 8 as answer', []).catch(() => undefined),
    )

    assert.deepEqual(rows, [{ answer: 8 }])
    assert.equal(db.pool.totalCount, 1)
  })
})
