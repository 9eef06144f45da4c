/** The server with all its roles as a process of its own, on a clock that runs fast. Started by tests. */
import { type ChildProcess, fork } from 'node:child_process'
import { once } from 'node:events'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/start.ts'
import { kill } from '../jobs-child.ts'
import { fastClock } from './fast-clock.ts'

interface ServerChild {
  api: string
  /** Its clock leaves out so much time. */
  advance(ms: number): void
  stop(): Promise<void>
}

/** Resolves when it serves. */
export async function startServerChild(settings: Record<string, string>): Promise<ServerChild> {
  const child: ChildProcess = fork(import.meta.filename, {
    // Without our own flags: they may say --test, and the child is none.
    execArgv: [],
    env: { PATH: process.env.PATH, ...settings },
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
  // When the test process dies, so do we.
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
