import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { createServer } from 'node:net'
import path from 'node:path'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
import { z } from 'zod'
import { freePort } from '../../scripts/postgres.ts'
import { call, freshDatabase, marketplace, startOn } from '../test/harness.ts'
import { eventually, markJob, openMarks } from '../test/jobs-child.ts'
import { endpoint } from './kit/endpoint.ts'

const market = await marketplace()
const MAIN = path.join(import.meta.dirname, 'main.ts')

/** Requests to /slow also wait for this promise, so a test can control when they finish. */
let released: Promise<unknown> = Promise.resolve()
let onSlow = () => {}

const slow = endpoint({
  method: 'POST',
  path: '/slow',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Takes its time',
  body: z.object({ ms: z.int() }),
  success: { status: 200, body: z.object({ done: z.boolean() }) },
  errors: [],
  async handler({ body }) {
    onSlow()
    await sleep(body.ms)
    await released
    return { done: true }
  },
})

/** Loses its connection between two statements of one transaction. */
const unlucky = endpoint({
  method: 'POST',
  path: '/unlucky',
  auth: 'none',
  access: { by: 'anyone' },
  summary: 'Loses its connection',
  success: { status: 200, body: z.object({}) },
  errors: [],
  async handler({ tx }) {
    const { rows } = await sql<{ pid: number }>`select pg_backend_pid() as pid`.execute(tx)
    await market.asOwner('select pg_terminate_backend($1)', [rows[0]!.pid])
    await sleep(200)
    await sql`select 1`.execute(tx)
    return {}
  },
})

describe('a server', () => {
  test('responds 503 and keeps running if a connection breaks inside a transaction', async (t) => {
    const server = await startOn(market.url, {
      moreEndpoints: [unlucky],
      settings: { LOG_LEVEL: 'silent' },
    })
    t.after(() => server.stop())

    const lost = await call(server.addresses.api!, 'POST', '/unlucky')
    const next = await ops(server, '/readyz')

    assert.deepEqual([lost.status, lost.body.code], [503, 'unavailable'])
    assert.equal(next.status, 200)
  })
})

describe('the roles', () => {
  test('api only serves, and moves no events', async () => {
    const agent = await market.agent()

    const { status } = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    await sleep(1000)

    assert.equal(status, 201)
    assert.equal((await market.asOwner('select from outbox')).length, 1)
    assert.equal((await market.asOwner('select from job_processes')).length, 0)
  })

  test('api shows how long events wait, and that no jobs process runs', async (t) => {
    const agent = await market.agent()
    await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    await market.asOwner(`update outbox set created_at = now() - interval '1 minute'`)

    const api = await startOn(market.url, { settings: { RELEASE: 'abc123' } })
    t.after(() => api.stop())
    const text = await eventually('the backlog is measured', 30_000, async () => {
      const shown = await (await fetch(`${api.addresses.ops}/metrics`)).text()
      return /^legwork_job_processes /m.test(shown) ? shown : undefined
    })

    const age = /^legwork_outbox_oldest_seconds (\S+)$/m.exec(text)?.[1]
    assert(Number(age) >= 60, text)
    assert.match(text, /^legwork_job_processes 0$/m)
    assert.match(text, /^legwork_build_info\{release="abc123",node="v24\.[\d.]+"\} 1$/m)
    assert.match(text, /^legwork_database_wait_seconds_count\{pool="live"\} [1-9]/m)
  })

  test('jobs only moves events, keeps its schedules and opens no port for the API', async (t) => {
    const agent = await market.agent()
    await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    const port = await freePort()

    const jobs = await startOn(market.url, { roles: ['jobs'], settings: { PORT: port } })
    t.after(() => jobs.stop())
    await untilEmpty(market.asOwner.bind(market), 'outbox')
    const schedules = await eventually('the schedules are known', 30_000, async () => {
      const rows = await market.asOwner(
        'select identifier from graphile_worker._private_known_crontabs order by identifier',
      )
      return rows.length > 0 ? rows.map(({ identifier }) => identifier as string) : undefined
    })

    assert.equal(jobs.addresses.api, undefined)
    await assert.rejects(fetch(`http://127.0.0.1:${port}/api/v1/openapi.json`))
    assert.equal((await ops(jobs, '/readyz')).status, 200)
    assert.deepEqual(schedules, [
      'agents.seal-secrets',
      'counts.check',
      'counts.fold',
      'desk.release-cases',
      'email.retry-mails',
      'feed.refresh-agents',
      'ledger.audit',
      'notices.tidy',
      'operators.log-audit-head',
      'questions.measure-times',
      'questions.remove-old',
      'reconcile.close-gaps',
      'reconcile.deep',
      'reconcile.run',
      'runner.maintain',
      'runner.remove-expired',
      'targets.settle',
      'tasks.fit-accuracy',
      'tasks.project-open',
      'webhooks.tidy',
      'workers.remove-unverified',
      'workers.tidy-sessions',
    ])
  })

  test('run all in one process by default, which stops cleanly on a signal', async (t) => {
    const url = await freshDatabase()
    const marks = await openMarks(t, url)
    const child = spawnMain(t, [], { DATABASE_URL: url })
    const { api, ops: opsAddress } = await child.started()

    const { status, body } = await call(api, 'POST', '/agents/register', {
      body: { name: 'One', email: 'one@example.com' },
    })
    const created = await call(api, 'POST', '/tasks', {
      headers: { authorization: `Bearer ${body.agent.api_key}` },
      body: { description: 'Look', budget_cents: 100 },
    })
    await untilEmpty(marks.query, 'outbox')
    const metrics = await (await fetch(`${opsAddress}/metrics`)).text()
    const code = await child.end('SIGTERM')

    assert.deepEqual([status, created.status, code], [201, 201, 0])
    assert.match(metrics, /legwork_outbox_relayed_total\{type="task.created"\} 1/)
    assert.deepEqual(await marks.query('select from job_processes'), [])
  })
})

describe('a stop', () => {
  test('waits for the running request, which completes; then nobody is let in', async (t) => {
    const server = await startOn(market.url, { moreEndpoints: [slow] })
    t.after(() => server.stop())
    const reached = Promise.withResolvers<undefined>()
    const release = Promise.withResolvers<undefined>()
    onSlow = () => reached.resolve(undefined)
    released = release.promise
    const answer = call(server.addresses.api!, 'POST', '/slow', { body: { ms: 0 } })
    await reached.promise

    let hasStopped = false
    const stopped = server.stop().then(() => {
      hasStopped = true
    })
    const draining = await eventually('readiness is red', 30_000, async () => {
      const reply = await ops(server, '/readyz')
      return reply.status === 503 ? reply : undefined
    })
    const late = await eventually('nobody is let in', 30_000, () =>
      call(server.addresses.api!, 'GET', '/wallet').then(
        () => undefined,
        () => 'refused',
      ),
    )
    const stoppedEarly = hasStopped
    release.resolve(undefined)
    const { status, body } = await answer
    await stopped

    assert.equal(stoppedEarly, false)
    assert.deepEqual([status, body], [200, { done: true }])
    assert.equal(late, 'refused')
    assert.equal(draining.status, 503)
    assert.equal(draining.body.checks.accepting, false)
    await assert.rejects(ops(server, '/healthz'))
  })

  test('turns readiness off first, serves through the drain, and then closes the listener', async (t) => {
    const server = await startOn(market.url, {
      moreEndpoints: [slow],
      settings: { DRAIN_SECONDS: 4 },
    })
    t.after(() => server.stop())
    const kept = new Agent({ keepAlive: true, maxSockets: 1 })
    t.after(() => kept.destroy())
    const before = await get(`${server.addresses.api!}/wallet`, kept)
    const under = call(server.addresses.api!, 'POST', '/slow', { body: { ms: 5000 } })

    const stopped = server.stop()
    const draining = await ops(server, '/readyz')
    const served = []
    for (const route of ['/wallet', '/nowhere', '/tasks/x'])
      served.push(await get(`${server.addresses.api!}${route}`, kept))
    const drained = eventually('the listener closes', 30_000, () =>
      get(`${server.addresses.api!}/wallet`, kept).then(
        () => undefined,
        () => true,
      ),
    )

    assert.deepEqual([draining.status, draining.body.checks.accepting], [503, false])
    assert.equal(before.connection, 'keep-alive')
    assert.deepEqual(
      served.map(({ status }) => status),
      [401, 404, 401],
    )
    assert.deepEqual(
      served.map(({ connection }) => connection),
      ['close', 'close', 'close'],
    )
    assert(await drained)
    assert.equal((await ops(server, '/readyz')).status, 503)
    assert.equal((await under).status, 200)
    await stopped
  })

  test('keeps long polls through the drain, and ends them when the listener closes', async (t) => {
    const server = await startOn(market.url, { settings: { DRAIN_SECONDS: 1 } })
    t.after(() => server.stop())
    const agent = await market.agent()
    const headers = { authorization: `Bearer ${agent.api_key}` }
    const wait = () => call(server.addresses.api!, 'GET', '/events?wait=50', { headers })

    const earlier = wait()
    await sleep(300)
    const beganMs = performance.now()
    const stopped = server.stop()
    // An immediate response would make the client poll in a tight loop for the whole drain.
    const later = wait()
    const answers = await Promise.all([earlier, later])
    const tookMs = performance.now() - beganMs
    await stopped

    assert.deepEqual(
      answers.map(({ status }) => status),
      [200, 200],
    )
    assert(tookMs > 900, `answered after ${tookMs} ms`)
    assert(tookMs < 20_000, `answered after ${tookMs} ms`)
  })

  test('a second signal ends the process at once', async (t) => {
    const child = spawnMain(t, ['api'], {
      DATABASE_URL: market.url,
      DRAIN_SECONDS: '60',
      STOP_GRACE_SECONDS: '90',
    })
    const { api, ops: opsAddress } = await child.started()

    const ended = child.end('SIGTERM')
    // Fresh connections: the process closes idle ones when it begins to stop, which may reset a request on one.
    const fresh = { headers: { connection: 'close' } }
    await eventually('readiness is red', 30_000, async () =>
      (await fetch(`${opsAddress}/readyz`, fresh)).status === 503 ? true : undefined,
    )
    const served = await fetch(`${api}/openapi.json`, fresh)
    await served.arrayBuffer()
    const beganMs = performance.now()
    void child.end('SIGTERM')

    assert.equal(served.status, 200)
    assert.equal(await ended, 1)
    assert(performance.now() - beganMs < 15_000)
    assert.match(child.output(), /received a second stop signal/)
  })

  test('ends long polls at once', async (t) => {
    const server = await startOn(market.url, {})
    t.after(() => server.stop())
    const agent = await market.agent()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
    const waiting = call(server.addresses.api!, 'GET', `/tasks/${body.task.id}?wait=50`, {
      headers: { authorization: `Bearer ${agent.api_key}` },
    })
    await sleep(500)

    const before = performance.now()
    await server.stop()

    assert.equal((await waiting).status, 200)
    assert(performance.now() - before < 3000)
  })

  test('waits for the running job', async (t) => {
    const marks = await openMarks(t, market.url)
    const server = await startOn(market.url, { roles: ['jobs'], moreJobs: [markJob] })
    t.after(() => server.stop())
    await marks.addJob('under way', 1500)
    await eventually('it has begun', 15_000, async () => (await marks.of('under way')).at(0))

    await server.stop()

    const [run] = await marks.of('under way')
    assert(run!.ended_at)
    assert.deepEqual(await marks.query('select from graphile_worker.jobs'), [])
  })

  test('requested twice is one stop', async () => {
    const server = await startOn(market.url, { roles: ['api', 'jobs'] })

    await Promise.all([server.stop(), server.stop(), server.stopped])

    await assert.rejects(ops(server, '/healthz'))
  })
})

describe('a failing start', () => {
  test('because a port is taken leaves nothing behind: no job runs, no connection stays', async (t) => {
    const url = await freshDatabase()
    const marks = await openMarks(t, url)
    const taken = await takePort(t)
    const start = startOn(url, { roles: ['api', 'jobs'], settings: { PORT: taken } })

    await assert.rejects(start, { code: 'EADDRINUSE' })

    await untilEmpty(marks.query, 'job_processes')
    await untilEmpty(
      marks.query,
      `pg_stat_activity where datname = current_database() and application_name = 'legwork'`,
    )
  })

  for (const { what, env, said } of [
    {
      what: 'the port is taken',
      env: async (t: TestContext) => ({ PORT: String(await takePort(t)) }),
      said: /127\.0\.0\.1:\d+ is already in use: set PORT/,
    },
    {
      what: 'there is no database',
      env: async () => ({ DATABASE_URL: `postgres://postgres@127.0.0.1:${await freePort()}/x` }),
      said: /database can't be reached \(connect ECONNREFUSED .*DATABASE_URL/,
    },
    {
      what: 'the database is not migrated',
      env: async () => ({ DATABASE_URL: process.env.TEST_DATABASE_URL! }),
      said: /run `npm run db:migrate` first/,
    },
    {
      what: 'a setting makes no sense',
      env: async () => ({ PORT: 'eighty' }),
      said: /These settings can't be used:\n {2}PORT/,
    },
  ])
    test(`because ${what} ends the process with 1 and prints a sentence`, async (t) => {
      const child = spawnMain(t, [], { DATABASE_URL: market.url, ...(await env(t)) })

      const code = await child.end()

      assert.equal(code, 1)
      assert.match(child.output(), said)
      assert.doesNotMatch(child.output(), /^\s+at /m)
    })
})

function spawnMain(t: TestContext, args: string[], env: Record<string, string>) {
  const child = spawn(process.execPath, [MAIN, ...args], {
    env: { ...process.env, PORT: '0', OPS_PORT: '0', ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', collect)
  child.stderr.on('data', collect)
  const exited = once(child, 'close') as Promise<[number | null]>
  t.after(async () => {
    child.kill('SIGKILL')
    await exited
  })
  return {
    output: () => output,
    /** The addresses in the line that the server logs when it is ready. */
    started: () =>
      eventually('the server has started', 60_000, async () => {
        const line = output.split('\n').find((text) => text.includes('"msg":"started"'))
        return line === undefined ? undefined : (JSON.parse(line) as { api: string; ops: string })
      }),
    async end(signal?: NodeJS.Signals): Promise<number | null> {
      if (signal) child.kill(signal)
      const [code] = await exited
      return code
    },
  }
}

async function takePort(t: TestContext): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => server.close())
  const address = server.address()
  assert(typeof address === 'object' && address)
  return address.port
}

/** Sends a GET over a keep-alive connection, and returns the status and the `connection` header. */
function get(url: string, agent: Agent): Promise<{ status: number; connection: string }> {
  return new Promise((resolve, reject) => {
    request(url, { agent }, (response) => {
      response
        .resume()
        .once('end', () =>
          resolve({ status: response.statusCode!, connection: response.headers.connection! }),
        )
    })
      .once('error', reject)
      .end()
  })
}

const ops = (server: { addresses: { ops?: string } }, route: string) =>
  call(server.addresses.ops!, 'GET', route)

async function untilEmpty(query: (text: string) => Promise<unknown[]>, table: string) {
  await eventually(`${table} is empty`, 30_000, async () =>
    (await query(`select from ${table}`)).length === 0 ? true : undefined,
  )
}
