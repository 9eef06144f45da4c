/**
 * Rolling restarts of two API processes behind HAProxy, under load. `npm run test:rolling` runs 20 of them or
 * ROLLING_RESTARTS; `npm test` runs one.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { after, before, describe, test } from 'node:test'
import { freePort, stopChild, stopWithParent } from '../../../scripts/postgres.ts'
import { beginUpload } from '../files/uploads.ts'
import { record } from '../figures.ts'
import { marketplace } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { type Backend, startBalancer } from './balancer.ts'
import { type Load, startLoad } from './load.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const RESTARTS = Number(process.env.ROLLING_RESTARTS ?? 1)
/** HAProxy notices within 1 s, or 3 s on a busy machine. */
const DRAIN_SECONDS = 4
const START_MAX_MS = 100_000

const market = await marketplace({ clock: 'real' })
const backends: [Backend, Backend] = [
  { port: await freePort(), opsPort: await freePort() },
  { port: await freePort(), opsPort: await freePort() },
]

describe('a rolling restart of two API processes behind HAProxy', () => {
  const children: (ChildProcess | undefined)[] = []
  let folder: string
  let balancer: Awaited<ReturnType<typeof startBalancer>>
  let load: Load

  before(
    async () => {
      folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-rolling-'))
      balancer = await startBalancer(backends)
      for (const i of [0, 1]) start(i, DRAIN_SECONDS)
      for (const i of [0, 1]) await untilUp(i)
      const agent = await market.agent({ freeTasks: false, balanceCents: 5_000_000 })
      const idle = await market.agent()
      load = startLoad({
        base: balancer.base,
        apiKey: agent.api_key,
        idleKey: idle.api_key,
        async beginUpload(bytes) {
          const { id, workers } = await market.taskIn(agent, 'in_progress')
          const uploadId = await beginUpload(workers[0]!, id, { bytes })
          return { id: uploadId, token: workers[0]!.token }
        },
      })
      await untilEveryKind(load)
    },
    { timeout: 2 * START_MAX_MS },
  )

  after(async () => {
    await load?.stop()
    for (const child of children) if (child) await stopChild(child, 'SIGKILL')
    await balancer?.stop()
    await rm(folder, { recursive: true, force: true })
  })

  for (let round = 1; round <= RESTARTS; round += 1)
    test(`fails no request (${round} of ${RESTARTS})`, { timeout: 3 * START_MAX_MS }, async () => {
      for (const i of [0, 1]) {
        assert.equal(await stop(i), 0, 'the process exited cleanly')
        start(i, DRAIN_SECONDS)
        await untilUp(i)
      }

      assert.deepEqual(load.failures, [])
    })

  test('leaves every created task exactly once, and no other', async () => {
    await load.stop()

    const rows = await market.asOwner(
      `select description from tasks where description like 'Rolling %'`,
    )

    const kept = rows.map(({ description }) => description as string)
    record('rolling', [
      { figure: 'rolling restarts', value: RESTARTS },
      { figure: 'responses', value: Object.values(load.counts).reduce((sum, one) => sum + one, 0) },
      { figure: 'failed requests', value: load.failures.length, max: 0 },
    ])
    console.log(`responses during ${RESTARTS} rolling restarts: ${JSON.stringify(load.counts)}`)
    assert.deepEqual(kept.sort(), [...load.created].sort())
    assert(kept.length > 0)
  })

  test('control: fails requests if the listener closes at once', async () => {
    assert.equal(await stop(0), 0)
    start(0, 0)
    await untilUp(0)
    const agent = await market.agent({ freeTasks: false, balanceCents: 5_000_000 })
    const closing = startLoad({
      base: balancer.base,
      apiKey: agent.api_key,
      idleKey: agent.api_key,
      async beginUpload(bytes) {
        const { id, workers } = await market.taskIn(agent, 'in_progress')
        const uploadId = await beginUpload(workers[0]!, id, { bytes })
        return { id: uploadId, token: workers[0]!.token }
      },
    })
    await untilEveryKind(closing)

    assert.equal(await stop(0), 0)
    const failures = await eventually('a request fails', 20_000, async () =>
      closing.failures.length > 0 ? closing.failures : undefined,
    )
    await closing.stop()

    console.log(`without a drain, one stop failed ${failures.length} requests`)
  })

  function start(i: number, drainSeconds: number): void {
    const { port, opsPort } = backends[i]!
    const child = spawn(process.execPath, ['server/src/main.ts', 'api'], {
      cwd: ROOT,
      env: {
        PATH: process.env.PATH,
        NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
        NODE_ENV: 'test',
        DATABASE_URL: market.url,
        PORT: String(port),
        OPS_PORT: String(opsPort),
        LOG_LEVEL: 'error',
        RATE_LIMITS: 'off',
        SHARD_DATABASES: '16',
        TRUST_PROXY: '127.0.0.1',
        FILES_DIR: folder,
        DRAIN_SECONDS: String(drainSeconds),
        STOP_GRACE_SECONDS: '60',
        LEVEL_WORKERS_MIN: '0',
        WORKER_TOKEN_KEYS: market.server.config.WORKER_TOKEN_KEYS,
      },
      // Its stdout would mix with this process's output to the test runner.
      stdio: ['ignore', 2, 2],
    })
    stopWithParent(child)
    children[i] = child
  }

  async function stop(i: number): Promise<number | null> {
    const child = children[i]!
    const exited = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    const [code] = await exited
    return code
  }

  /** The next process is stopped only when the balancer sends requests to this one again. */
  async function untilUp(i: number): Promise<void> {
    await eventually(`HAProxy sends requests to process ${i + 1}`, START_MAX_MS, async () => {
      assert.equal(children[i]!.exitCode, null, 'the process runs')
      const all = await balancer.states()
      return all[i] === 'UP' && children[i]!.pid !== undefined && (await isReady(i))
        ? true
        : undefined
    })
  }

  const isReady = (i: number) =>
    fetch(`http://127.0.0.1:${backends[i]!.opsPort}/readyz`).then(
      ({ ok }) => ok,
      () => false,
    )
})

async function untilEveryKind({ counts }: Load): Promise<void> {
  await eventually('every quick kind of client was answered', 60_000, async () =>
    ['read', 'create', 'create once'].every((kind) => (counts[kind] ?? 0) > 3) ? true : undefined,
  )
}
