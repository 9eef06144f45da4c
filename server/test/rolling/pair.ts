/** Two API processes behind HAProxy, which a test stops and starts again one after the other. */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import { freePort, stopChild, stopWithParent } from '../../../scripts/postgres.ts'
import { eventually } from '../jobs-child.ts'
import { type Backend, startBalancer } from './balancer.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
/** HAProxy notices within 1 s, or 3 s on a busy machine. */
const DRAIN_SECONDS = 4

/** For a process on a busy machine. */
export const START_MAX_MS = 100_000
/** The indexes of both processes. */
export const BOTH = [0, 1] as const

export type Which = (typeof BOTH)[number]
export type Pair = Awaited<ReturnType<typeof openPair>>

/** `common` are settings of every process that is started. */
export async function openPair(common: Record<string, string>) {
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-pair-'))
  const backends: [Backend, Backend] = [
    { port: await freePort(), opsPort: await freePort() },
    { port: await freePort(), opsPort: await freePort() },
  ]
  const balancer = await startBalancer(backends)
  const children: (ChildProcess | undefined)[] = [undefined, undefined]
  const settings = { ...common, FILES_DIR: folder, PUBLIC_URL: new URL(balancer.base).origin }

  function start(i: Which, own: Record<string, string> = {}): void {
    children[i] = startApi(backends[i], { ...settings, ...own })
  }

  /** Resolves with the exit code. */
  async function stop(i: Which): Promise<number | null> {
    const child = children[i]!
    const exited = once(child, 'exit') as Promise<[number | null]>
    child.kill('SIGTERM')
    const [code] = await exited
    children[i] = undefined
    return code
  }

  async function untilReady(i: Which): Promise<void> {
    await eventually(`process ${i + 1} is ready`, START_MAX_MS, async () => {
      assert.equal(children[i]!.exitCode, null, 'the process runs')
      return (await isReady(backends[i])) ? true : undefined
    })
  }

  /** HAProxy may still say so of a process that was stopped a moment ago, so the process itself is asked as well. */
  async function untilUp(i: Which): Promise<void> {
    await untilReady(i)
    await eventually(`HAProxy sends requests to process ${i + 1}`, START_MAX_MS, async () =>
      (await balancer.states())[i] === 'UP' ? true : undefined,
    )
  }

  return {
    base: balancer.base,
    stop,
    async start(i: Which, own: Record<string, string> = {}): Promise<void> {
      start(i, own)
      await untilUp(i)
    },
    async startBoth(own: Record<string, string> = {}): Promise<void> {
      for (const i of BOTH) start(i, own)
      for (const i of BOTH) await untilUp(i)
    },
    /** Replaces one process after the other: the second one is stopped when the first one serves again. */
    async roll(own: Record<string, string> = {}): Promise<void> {
      for (const i of BOTH) {
        assert.equal(await stop(i), 0, 'the process exited cleanly')
        start(i, own)
        await untilUp(i)
      }
    },
    /** The same without waiting until HAProxy notices that a process stops. */
    async rollDrained(own: Record<string, string> = {}): Promise<void> {
      for (const i of BOTH) {
        await balancer.setState(i, 'drain')
        assert.equal(await stop(i), 0, 'the process exited cleanly')
        start(i, own)
        // Only now: HAProxy may not have noticed that it was gone.
        await untilReady(i)
        await balancer.setState(i, 'ready')
        await untilUp(i)
      }
    },
    async close(): Promise<void> {
      for (const child of children) if (child !== undefined) await stopChild(child, 'SIGKILL')
      await balancer.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

function startApi({ port, opsPort }: Backend, settings: Record<string, string>): ChildProcess {
  const child = spawn(process.execPath, ['server/src/main.ts', 'api'], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      // Without the compile cache a process takes half as long again to start.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      NODE_ENV: 'test',
      PORT: String(port),
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      AGENT_CAPS: 'off',
      SHARD_DATABASES: '16',
      TRUST_PROXY: '127.0.0.1',
      LEVEL_WORKERS_MIN: '0',
      DRAIN_SECONDS: String(DRAIN_SECONDS),
      STOP_GRACE_SECONDS: '60',
      ...settings,
    },
    // Its stdout would mix with this process's output to the test runner.
    stdio: ['ignore', 2, 2],
  })
  stopWithParent(child)
  return child
}

const isReady = ({ opsPort }: Backend) =>
  fetch(`http://127.0.0.1:${opsPort}/readyz`).then(
    ({ ok }) => ok,
    () => false,
  )
