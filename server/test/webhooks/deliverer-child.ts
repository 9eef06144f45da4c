/** A jobs process of the real server, on a clock that can skip time. Started by tests. */
import { flushCompileCache } from 'node:module'
import { readConfig } from '../../src/config.ts'
import { startServer } from '../../src/start.ts'

// Exit when the test process dies.
process.once('disconnect', () => process.exit())
const { LEAP_MS, ...env } = process.env
let leapMs = Number(LEAP_MS)
process.on('message', (ms: number) => {
  leapMs = ms
})
await startServer({
  config: readConfig(env),
  roles: ['jobs'],
  clock: { now: () => new Date(Date.now() + leapMs) },
})
process.send?.('ready')
flushCompileCache()
