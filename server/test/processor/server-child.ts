/** The server with all its roles in a separate process, on a fast clock. Started by tests. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/start.ts'
import { kill } from '../jobs-child.ts'
import { fastClock } from './fast-clock.ts'

interface ServerChild {
  api: string
  /** Makes its clock skip this much time. */
  advance(ms: number): void
  stop(): Promise<void>
}

/** Resolves when it accepts requests. */
export async function startServerChild(settings: Record<string, string>): Promise<ServerChild> {
  const child: ChildProcess = fork(import.meta.filename, {
    // Without our own flags: they may include --test, and the child is not a test.
    execArgv: [],
    env: {
      PATH: process.env.PATH,
      NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE,
      ...settings,
    },
  })
  const [api] = await Promise.race([
    once(child, 'message') as Promise<[string]>,
    once(child, 'exit').then(() => Promise.reject(new Error('the server did not start'))),
  ])
  return {
    api,
    advance: (ms) => child.send(ms),
    stop: () => kill(child),
  }
}

if (import.meta.main) {
  // Exit when the test process dies.
  process.once('disconnect', () => process.exit())
  const { BEGAN_AT, SPEED, ...env } = process.env
  const clock = fastClock({ beganAt: Number(BEGAN_AT), speed: Number(SPEED) })
  process.on('message', (ms: number) => clock.advance(ms))
  const { addresses } = await startServer({
    config: readConfig(env),
    roles: ['api', 'jobs'],
    clock,
  })
  process.send?.(addresses.api)
}
