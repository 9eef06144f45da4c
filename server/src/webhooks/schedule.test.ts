import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { ATTEMPTS_MAX, DELAYS_MS, delayAfter, JITTER } from './schedule.ts'

describe('delayAfter', () => {
  test('is the published delay, plus or minus a fifth', () => {
    assert.equal(ATTEMPTS_MAX, 8)
    for (const [index, delayMs] of DELAYS_MS.entries()) {
      const number = index + 1
      assert.equal(delayAfter(number, { random: 0 }), delayMs * (1 - JITTER))
      assert.equal(delayAfter(number, { random: 0.5 }), delayMs)
      assert.equal(delayAfter(number, { random: 1 }), delayMs * (1 + JITTER))
    }
  })

  test('spreads deliveries that failed together', () => {
    const delays = Array.from({ length: 200 }, () => delayAfter(2))

    assert(Math.max(...delays) - Math.min(...delays) > 60_000)
  })

  test('is never sooner than Retry-After, up to twice the published delay', () => {
    const after = (retryAfterMs: number, random: number) => delayAfter(2, { retryAfterMs, random })

    assert.equal(after(10_000, 0.5), 300_000, 'a Retry-After below the delay has no effect')
    assert.equal(after(400_000, 0.5), 400_000, 'a longer Retry-After is respected')
    assert.equal(after(320_000, 1), 360_000, 'jitter only adds to it')
    assert.equal(after(86_400_000, 0.5), 600_000, 'a day exceeds the maximum')
  })
})
