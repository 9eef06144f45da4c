/**
 * The processes of a server as in production, each on its own ports. A process that ends is started again at once, as
 * systemd or a container runtime does it.
 */
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, stopWithParent } from '../../../scripts/postgres.ts'
import { kill } from '../jobs-child.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const START_MAX_MS = 100_000
const LOOK_EVERY_MS = 10
/** Logged errors that are kept, to explain a response 500. */
const ERRORS_MAX = 20

export type Role = 'api' | 'jobs'
export type Fleet = Awaited<ReturnType<typeof startFleet>>

interface Member {
  name: string
  role: Role
  port: number
  opsPort: number
  child: ChildProcess | undefined
  starts: number
}

export interface FleetOptions {
  databaseUrl: string
  workerTokenKeys: string
  apis?: number
  jobs?: number
  settings?: Record<string, string>
  /** Lines of the log that contain this are kept. */
  keep?: string
}

export async function startFleet(options: FleetOptions) {
  const { apis = 2, jobs = 1, keep } = options
  const members: Member[] = []
  const errors: string[] = []
  const kept: string[] = []
  let isStopping = false
  for (const [role, count] of [['api', apis] as const, ['jobs', jobs] as const])
    for (let i = 1; i <= count; i += 1) {
      const [port, opsPort] = [await freePort(), await freePort()]
      members.push({ name: `${role} ${i}`, role, port, opsPort, child: undefined, starts: 0 })
    }

  function start(member: Member): void {
    const child = spawnServer(member, options)
    member.child = child
    member.starts += 1
    createInterface(child.stdout!).on('line', (line) => {
      if (errors.length < ERRORS_MAX && line.includes('"defect"')) errors.push(line)
      if (keep !== undefined && line.includes(keep)) kept.push(line)
    })
    child.once('exit', () => {
      if (!isStopping) start(member)
    })
  }

  for (const member of members) start(member)
  await Promise.all(members.map(untilReady))

  return {
    bases: members
      .filter(({ role }) => role === 'api')
      .map(({ port }) => `http://127.0.0.1:${port}/api/v1`),
    names: members.map(({ name }) => name),
    /** The process id of each running process. */
    pids: () => Object.fromEntries(members.map(({ name, child }) => [name, child!.pid!])),
    /** How often each process was started. */
    starts: () => Object.fromEntries(members.map(({ name, starts }) => [name, starts])),

    /** What the processes logged about responses 500. */
    errors: () => errors.join('\n'),

    /** The log lines that the option `keep` names. */
    kept: () => kept.map((line) => JSON.parse(line) as Record<string, unknown>),

    /** Kill -9; returns the milliseconds until its successor is ready. */
    async kill(name: string): Promise<number> {
      const member = members.find((one) => one.name === name)!
      const begun = performance.now()
      await kill(member.child!)
      await untilReady(member)
      return performance.now() - begun
    },

    /** Milliseconds until all are ready, for instance after the database is back. */
    async untilReady(): Promise<number> {
      const begun = performance.now()
      await Promise.all(members.map(untilReady))
      return performance.now() - begun
    },

    async stop(): Promise<void> {
      isStopping = true
      await Promise.all(members.map(({ child }) => kill(child!)))
    },
  }
}

function spawnServer(
  { role, port, opsPort }: Member,
  { databaseUrl, workerTokenKeys, settings }: FleetOptions,
): ChildProcess {
  const child = spawn(process.execPath, ['server/src/main.ts', role], {
    cwd: ROOT,
    env: {
      PATH: process.env.PATH,
      // Without the compile cache a process takes half as long again to start.
      ...(process.env.NODE_COMPILE_CACHE && { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }),
      NODE_ENV: 'test',
      DATABASE_URL: databaseUrl,
      PORT: String(port),
      OPS_PORT: String(opsPort),
      LOG_LEVEL: 'error',
      RATE_LIMITS: 'off',
      AGENT_CAPS: 'off',
      SHARD_DATABASES: '16',
      LEVEL_WORKERS_MIN: '0',
      WORKER_TOKEN_KEYS: workerTokenKeys,
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  stopWithParent(child)
  return child
}

async function untilReady({ name, opsPort }: Member): Promise<void> {
  const deadline = performance.now() + START_MAX_MS
  while (!(await isReady(opsPort))) {
    assert(performance.now() < deadline, `${name} is not ready in time`)
    await sleep(LOOK_EVERY_MS)
  }
}

function isReady(opsPort: number): Promise<boolean> {
  return fetch(`http://127.0.0.1:${opsPort}/readyz`, { signal: AbortSignal.timeout(2000) }).then(
    ({ ok }) => ok,
    () => false,
  )
}
