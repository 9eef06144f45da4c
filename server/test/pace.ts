import { setTimeout as sleep } from 'node:timers/promises'
import type { Marketplace } from './harness.ts'

const SAMPLES = 5
const REQUESTS = 50

/** Waits until a request that was just sent has surely arrived, even on a busy machine. */
export async function untilArrived(market: Marketplace): Promise<void> {
  await sleep(await limitFor(market, 100))
}

/**
 * The time limit for something that is promised within `ms`. On a busy or slow machine plain requests take longer too,
 * so the limit is at least the duration of 50 of those in sequence.
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
