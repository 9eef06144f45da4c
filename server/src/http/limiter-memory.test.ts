import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { mostInAnyWindow } from '../../test/limits-child.ts'
import { memoryLimiter } from './limiter-memory.ts'
import type { Check, Policy } from './limits.ts'

describe('the limiter in memory, for any arrivals', () => {
  test('never admits more than the limit in any window, and never fewer', async () => {
    const arrivals = fc.record({
      limit: fc.integer({ min: 1, max: 8 }),
      windowMs: fc.integer({ min: 1, max: 50 }),
      gaps: fc.array(fc.integer({ min: 0, max: 20 }), { maxLength: 200 }),
    })

    await fc.assert(
      fc.asyncProperty(arrivals, async ({ limit, windowMs, gaps }) => {
        let now = 0
        const limiter = memoryLimiter({ now: () => now })
        const admitted: number[] = []
        for (const gap of gaps) {
          now += gap
          const inWindow = admitted.filter((time) => time > now - windowMs && time <= now).length

          const verdict = await limiter.take([
            { policy: { name: 'create', limit, windowMs }, key: 'k' },
          ])

          assert.equal(verdict.admitted, inWindow < limit)
          if (verdict.admitted) admitted.push(now)
        }
        assert(mostInAnyWindow(admitted, windowMs) <= limit)
      }),
      { numRuns: 300 },
    )
  })

  test('counts in all policies or in none, and returns the exact wait', async () => {
    const policies: Policy[] = [
      { name: 'global', limit: 4, windowMs: 1_000 },
      { name: 'create', limit: 2, windowMs: 3_000 },
      { name: 'login', limit: 3, windowMs: 5_000 },
    ]
    const check = fc.record({
      policy: fc.constantFrom(...policies),
      key: fc.constantFrom('a', 'b'),
    })
    const request = fc.record({
      gap: fc.integer({ min: 0, max: 900 }),
      checks: fc.array(check, { minLength: 1, maxLength: 4 }),
    })

    await fc.assert(
      fc.asyncProperty(fc.array(request, { maxLength: 60 }), async (requests) => {
        let now = 0
        const limiter = memoryLimiter({ now: () => now })
        const log: { at: number; checks: Check[] }[] = []
        const hasRoom = (checks: Check[], at: number) =>
          checks.every(({ policy, key }) => {
            const held = log.filter(
              (entry) =>
                entry.at > at - policy.windowMs &&
                entry.checks.some((other) => other.policy === policy && other.key === key),
            )
            return held.length < policy.limit
          })
        for (const { gap, checks } of requests) {
          now += gap

          const { admitted, retryAfterSeconds } = await limiter.take(checks)

          assert.equal(admitted, hasRoom(checks, now))
          if (admitted) log.push({ at: now, checks })
          else {
            assert(retryAfterSeconds >= 1)
            assert(hasRoom(checks, now + retryAfterSeconds * 1_000))
            assert(!hasRoom(checks, now + (retryAfterSeconds - 1) * 1_000))
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('at the boundary of a window', () => {
  const limit = 30
  const window = 60_000

  /** Sends a request every millisecond, starting just before a full minute. */
  async function mostAdmitted(admits: (now: number) => boolean | Promise<boolean>) {
    const admitted: number[] = []
    for (let now = window - 40; now < 3 * window; now++) {
      if (await admits(now)) admitted.push(now)
    }
    return mostInAnyWindow(admitted, window)
  }

  test('a fixed-window counter admits twice the limit', async () => {
    const counts = new Map<number, number>()

    const most = await mostAdmitted((now) => {
      const current = Math.floor(now / window)
      const count = counts.get(current) ?? 0
      counts.set(current, count + 1)
      return count < limit
    })

    assert.equal(most, 2 * limit)
  })

  test('GCRA admits twice the limit minus one', async () => {
    let theoretical = 0

    const most = await mostAdmitted((now) => {
      const next = Math.max(theoretical, now) + window / limit
      if (next - now > window) return false
      theoretical = next
      return true
    })

    assert.equal(most, 2 * limit - 1)
  })

  test('the sliding log admits exactly the limit', async () => {
    let clock = 0
    const limiter = memoryLimiter({ now: () => clock })
    const policy: Policy = { name: 'create', limit, windowMs: window }

    const most = await mostAdmitted(async (now) => {
      clock = now
      return (await limiter.take([{ policy, key: 'k' }])).admitted
    })

    assert.equal(most, limit)
  })

  test('an entry is freed exactly one window later, and not a microsecond before', async () => {
    let now = 5.5
    const limiter = memoryLimiter({ now: () => now })
    const check: Check = { policy: { name: 'create', limit: 1, windowMs: 1_000 }, key: 'k' }
    await limiter.take([check])

    now = 1_005.499
    const before = await limiter.take([check])
    now = 1_005.5
    const then = await limiter.take([check])

    assert.equal(before.admitted, false)
    assert.equal(then.admitted, true)
  })
})

describe('the memory of the limiter', () => {
  test('keeps no key longer than two windows', async () => {
    let now = 0
    const limiter = memoryLimiter({ now: () => now })
    const policy: Policy = { name: 'global', limit: 5, windowMs: 1_000 }
    let largest = 0

    for (let i = 0; i < 100_000; i++) {
      now += 1
      await limiter.take([{ policy, key: `key ${i}` }])
      largest = Math.max(largest, limiter.size)
    }

    assert(largest <= 2_000, `${largest} keys were kept`)
  })

  test('is bounded even if every request has a new key', async () => {
    const limiter = memoryLimiter({ now: () => 0, maxKeys: 100 })
    const policy: Policy = { name: 'register', limit: 5, windowMs: 3_600_000 }

    for (let i = 0; i < 10_000; i++) await limiter.take([{ policy, key: `key ${i}` }])

    assert(limiter.size <= 100, `${limiter.size} keys were kept`)
  })

  test('keeps a busy key while idle ones come and go', async () => {
    let now = 0
    const limiter = memoryLimiter({ now: () => now })
    const policy: Policy = { name: 'global', limit: 5, windowMs: 1_000 }
    const admitted: number[] = []

    for (let i = 0; i < 10_000; i++) {
      now += 1
      await limiter.take([{ policy, key: `key ${i}` }])
      if ((await limiter.take([{ policy, key: 'busy' }])).admitted) admitted.push(now)
    }

    assert.equal(mostInAnyWindow(admitted, 1_000), 5)
    assert.equal(admitted.length, 50)
  })
})
