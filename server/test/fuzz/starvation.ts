/**
 * How long this machine has kept the server from working. Answers are timed by the wall clock, and on a machine that
 * other programs use, a process or its database may wait for a processor for seconds. Every 50 ms a small query asks
 * the database for nothing: the time that it takes beyond that, less the processor time that this process has used
 * meanwhile, was taken by others. Time that the server itself uses up is never subtracted.
 */
import { setTimeout as sleep } from 'node:timers/promises'

const EVERY_MS = 50

export function watchStarvation(ask: () => Promise<unknown>) {
  let starvedMs = 0
  let isStopped = false
  const watching = (async () => {
    while (!isStopped) {
      const began = performance.now()
      const cpu = process.cpuUsage()
      await sleep(EVERY_MS)
      await ask()
      const { user, system } = process.cpuUsage(cpu)
      const lost = performance.now() - began - EVERY_MS - (user + system) / 1000
      starvedMs += Math.max(0, lost - 20)
    }
  })()
  return {
    starvedMs: () => starvedMs,
    async stop() {
      isStopped = true
      await watching
    },
  }
}
