/** The processes of a server, each a child that can be set to die at a crash point; another is started in its place. */
import assert from 'node:assert/strict'
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { freePort, stopWithParent } from '../../../scripts/postgres.ts'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/start.ts'
import { call, type CallInit, type Reply } from '../harness.ts'
import { kill } from '../jobs-child.ts'

const ROOT = path.join(import.meta.dirname, '../../..')
const ANSWERED_WITHIN_MS = 40_000
const STARTS_MAX = 5
/** Halves the time of a start. */
const CACHE = { NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE }

type Role = 'api' | 'jobs'

export type Supervised = Awaited<ReturnType<typeof supervise>>

export async function supervise(settings: Record<string, string>) {
  const port = await freePort()
  const base = `http://127.0.0.1:${port}/api/v1`
  const children = new Map<Role, ChildProcess>()
  let deaths: (NodeJS.Signals | null)[] = []
  let beforeRestart = async () => {}
  let restarted = Promise.resolve()
  let isStopping = false

  async function start(role: Role): Promise<void> {
    const child = await startPatiently(role)
    child.once('exit', (_, signal) => {
      if (isStopping) return
      deaths.push(signal)
      restarted = beforeRestart().then(() => start(role))
    })
  }

  /** Starts it again if it gives up, as a supervisor does: on a busy machine the database may answer too late. */
  async function startPatiently(role: Role): Promise<ChildProcess> {
    for (let attempt = 1; ; attempt += 1) {
      const child = fork(import.meta.filename, [role], {
        // Without our own flags: they may include --test, and the child is not a test.
        execArgv: [],
        env: { ...CACHE, ...settings, PORT: String(port), OPS_PORT: '0' },
      })
      children.set(role, child)
      const first = await Promise.race([
        once(child, 'message').then(() => 'ready' as const),
        once(child, 'exit').then(() => 'ended' as const),
      ])
      if (first === 'ready' || isStopping) return child
      assert(attempt < STARTS_MAX, `the ${role} process has started`)
    }
  }

  await Promise.all([start('api'), start('jobs')])
  return {
    base,

    /** The next process to reach this crash point dies there. `inBetween` runs before another one takes over. */
    doom(step: string, inBetween = async () => {}) {
      deaths = []
      beforeRestart = inBetween
      for (const child of children.values()) child.send({ crashAt: step })
    },

    /** How they died since then. All are running again, and will keep running. */
    async heal(): Promise<(NodeJS.Signals | null)[]> {
      await restarted
      for (const child of children.values()) child.send({})
      return deaths
    },

    /** Repeats a request, byte for byte, until there is a response. */
    async insist(method: string, to: string, init: CallInit): Promise<Reply> {
      const deadline = performance.now() + ANSWERED_WITHIN_MS
      for (;;) {
        const reply = await call(base, method, to, init).catch((error: unknown) => {
          if (performance.now() > deadline) throw error
        })
        if (reply && reply.status < 500) return reply
        assert(performance.now() < deadline, reply?.text)
        await sleep(50)
      }
    },

    /** Runs an operator command in a process that may die as well. */
    async run(command: string[], crashAt: string): Promise<NodeJS.Signals | null> {
      const child = spawn(process.execPath, ['server/src/main.ts', ...command], {
        cwd: ROOT,
        env: { ...CACHE, ...settings, CRASH_AT: crashAt },
        stdio: ['ignore', 'ignore', 'inherit'],
      })
      stopWithParent(child)
      const [, signal] = (await once(child, 'exit')) as [number | null, NodeJS.Signals | null]
      return signal
    },

    async stop() {
      isStopping = true
      await restarted
      await Promise.all([...children.values()].map(kill))
    },
  }
}

if (import.meta.main) {
  // Exit when the test process dies.
  process.once('disconnect', () => process.exit())
  const config = readConfig(process.env)
  process.on('message', ({ crashAt }: { crashAt?: string }) => {
    config.CRASH_AT = crashAt
  })
  await startServer({ config, roles: [process.argv[2] as Role] })
  process.send?.('ready')
}
