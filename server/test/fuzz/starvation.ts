/**
 * Measures how long this machine kept the server from working. Responses are timed by the wall clock, and on a shared
 * machine a process or its database may wait seconds for a CPU. Every 50 ms a trivial query runs on the database; the
 * time it takes beyond that, minus the CPU time this process used meanwhile, was taken by other programs. Time that the
 * server itself uses is never subtracted.
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
