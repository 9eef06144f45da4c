/**
 * A server in a separate process, for attacks on its event loop and memory. Reports its address, and exits on SIGTERM.
 */
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { startOn } from '../harness.ts'

const RESOLUTION_MS = 10

const server = await startOn(process.env.ATTACKED_DATABASE_URL!, {
  clock: 'real',
  settings: { LOG_LEVEL: 'silent' },
})
const delays = monitorEventLoopDelay({ resolution: RESOLUTION_MS })
delays.enable()
process.on('message', () => {
  process.send!({ delayMs: Math.max(0, delays.max / 1_000_000 - RESOLUTION_MS) })
  delays.reset()
})
process.once('SIGTERM', () => {
  void server.stop().then(() => process.exit())
})
process.send!({ api: server.addresses.api })
