/** A server in a separate process whose wall clock the test shifts. Its log is kept for the test to read. */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/start.ts'
import { kill } from '../jobs-child.ts'

type Role = 'api' | 'jobs'

interface Scope {
  after(end: () => Promise<unknown>): void
}

/**
 * Resolves when it has started. With `clock: 'wall'` it uses the wall clock alone, like a server without the clock
 * guard.
 */
export async function startChild(
  scope: Scope,
  {
    roles,
    settings,
    clock = 'database',
  }: { roles: Role[]; settings: Record<string, string>; clock?: 'database' | 'wall' },
) {
  const child = fork(import.meta.filename, [clock, ...roles], {
    execArgv: ['--import', path.join(import.meta.dirname, 'step-clock.ts')],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      NODE_ENV: 'test',
      PORT: '0',
      OPS_PORT: '0',
      ...settings,
    },
    stdio: ['ignore', 'pipe', 'pipe', 'ipc'],
  })
  let log = ''
  for (const stream of [child.stdout!, child.stderr!])
    stream.on('data', (chunk: Buffer) => {
      log += chunk.toString()
    })
  scope.after(() => kill(child))
  const [{ api, ops }] = await Promise.race([
    once(child, 'message') as Promise<[{ api?: string; ops: string }]>,
    once(child, 'exit').then(() => Promise.reject(new Error(`the server did not start: ${log}`))),
  ])
  return {
    api,
    ops,
    log: () => log,
    kill: () => kill(child),
    /** Sets the offset of its wall clock from the machine's. */
    step: (stepMs: number) => child.send({ stepMs }),
  }
}

if (import.meta.main) {
  // Exit when the test process dies.
  process.once('disconnect', () => process.exit())
  const [clock, ...roles] = process.argv.slice(2)
  const { addresses } = await startServer({
    config: readConfig(process.env),
    roles: roles as Role[],
    ...(clock === 'wall' && { clock: { now: () => new Date() } }),
  })
  process.send?.(addresses)
}
