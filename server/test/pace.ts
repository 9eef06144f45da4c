import { setTimeout as sleep } from 'node:timers/promises'
import type { Marketplace } from './harness.ts'

const SAMPLES = 5
const REQUESTS = 50

/** Until a request that was just sent has surely arrived, on a busy machine as well. */
export async function untilArrived(market: Marketplace): Promise<void> {
  await sleep(await limitFor(market, 100))
}

/**
 * How long something may take that is promised within `ms`. On a machine that is busy or slow a plain request takes
 * longer as well: then it may take as long as 50 of those, one after the other.
 */
export async function limitFor(market: Marketplace, ms: number): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < SAMPLES; i += 1) {
    const begun = performance.now()
    await market.call('GET', '/wallet')
    times.push(performance.now() - begun)
  }
  const median = times.toSorted((a, b) => a - b)[Math.floor(SAMPLES / 2)]!
  return Math.max(ms, REQUESTS * median)
}
