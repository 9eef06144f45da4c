import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { steppedClock } from '../../test/stepped-clock.ts'
import { databaseClock } from './clock.ts'

const START = Date.parse('2026-01-01T00:00:00Z')
const DAY = 86_400_000

/** A machine and a database whose clocks a test sets individually. */
function world() {
  const at = { wall: START, monotonic: 5000, uptime: 90_000, database: START }
  const clock = databaseClock({
    machine: { wall: () => at.wall, monotonic: () => at.monotonic, uptime: () => at.uptime },
  })
  const pass = (ms: number) => {
    at.wall += ms
    at.monotonic += ms
    at.uptime += ms
    at.database += ms
  }
  return {
    at,
    clock,
    pass,
    follow: (tripMs = 0) =>
      clock.follow(async () => {
        pass(tripMs / 2)
        const answer = new Date(at.database)
        pass(tripMs / 2)
        return answer
      }),
    shows: () => clock.now().getTime(),
    doubt: () => clock.doubt()?.reason,
  }
}

describe('the database’s clock', () => {
  test('is this machine’s clock before the first query', () => {
    const before = Date.now()

    const now = databaseClock().now().getTime()

    assert(now >= before && now <= Date.now())
  })

  for (const [words, ms] of [
    ['three days ahead', 3 * DAY],
    ['three days back', -3 * DAY],
    ['three seconds ahead', 3000],
    ['three seconds back', -3000],
  ] as const)
    test(`does not move when the wall clock steps ${words}, and is in doubt until it is corrected`, async () => {
      const { at, clock, follow, pass, shows } = world()
      await follow()
      pass(1000)

      at.wall += ms
      const stepped = { shows: shows(), doubt: clock.doubt() }
      await follow()
      const followed = clock.doubt()?.reason
      at.wall -= ms

      assert.equal(stepped.shows, START + 1000)
      assert.deepEqual([stepped.doubt?.reason, stepped.doubt?.differenceMs], ['wall_clock', ms])
      assert.match(stepped.doubt!.message, new RegExp(`by ${(ms / 1000).toFixed(1)} s`))
      assert.equal(followed, 'wall_clock')
      assert.equal(clock.doubt(), undefined)
      assert.equal(shows(), START + 1000)
    })

  test('is trusted if the wall clock is off by less than the tolerance', async () => {
    const { at, follow, doubt } = world()
    await follow()

    at.wall += 1900

    assert.equal(doubt(), undefined)
  })

  for (const [words, ms] of [
    ['ahead', 3 * DAY],
    ['back', -3 * DAY],
  ] as const)
    test(`does not follow a database that jumps ${words}, even together with the wall clock`, async () => {
      const { at, follow, pass, shows, doubt } = world()
      await follow()
      pass(1000)

      at.database += ms
      await follow()
      const alone = [shows(), doubt()]
      at.wall += ms
      await follow()
      const together = [shows(), doubt()]
      at.database -= ms
      at.wall -= ms
      await follow()

      assert.deepEqual(alone, [START + 1000, 'database_jumped'])
      assert.deepEqual(together, [START + 1000, 'database_jumped'])
      assert.deepEqual([shows(), doubt()], [START + 1000, undefined])
    })

  test('takes the database’s time at its start, and is in doubt while the wall clock differs', async () => {
    const { at, follow, shows, doubt } = world()
    at.wall -= 3 * DAY

    await follow()

    assert.deepEqual([shows(), doubt()], [START, 'wall_clock'])
  })

  test('follows small corrections and never goes backwards', async () => {
    const { at, follow, pass, shows } = world()
    await follow()
    pass(1000)
    const before = shows()

    at.database -= 600
    await follow()
    const corrected = shows()
    pass(1000)

    assert.deepEqual([before, corrected], [START + 1000, START + 1000])
    assert.equal(shows(), START + 1400)
  })

  test('halves the round trip, and ignores a response that took too long', async () => {
    const { at, follow, shows, doubt } = world()
    await follow(200)
    const quick = shows()

    at.database += 1500
    await follow(8000)

    assert.equal(quick, START + 200)
    assert.deepEqual([shows(), doubt()], [START + 8200, undefined])
  })

  test('is in doubt after the machine was suspended, until the next query', async () => {
    const { at, follow, shows, doubt } = world()
    await follow()

    at.wall += 7_200_000
    at.uptime += 7_200_000
    at.database += 7_200_000
    const awake = doubt()
    await follow()

    assert.equal(awake, 'suspended')
    assert.deepEqual([shows(), doubt()], [START + 7_200_000, undefined])
  })

  test('is in doubt after a minute without a query, as after a freeze', async () => {
    const { follow, pass, shows, doubt } = world()
    await follow()

    pass(61_000)
    const frozen = doubt()
    await follow()

    assert.equal(frozen, 'stale')
    assert.deepEqual([shows(), doubt()], [START + 61_000, undefined])
  })

  test('continues when the database is unreachable', async () => {
    const { clock, follow, pass, shows } = world()
    await follow()
    pass(5000)

    await assert.rejects(clock.follow(() => Promise.reject(new Error('away'))))

    assert.equal(shows(), START + 5000)
  })
})

describe('a stepped clock', () => {
  test('stands still until it is advanced', () => {
    const start = new Date('2026-01-01T00:00:00Z')
    const clock = steppedClock(start)
    const before = clock.now()

    clock.advance(1500)

    assert.deepEqual(before, start)
    assert.deepEqual(clock.now(), new Date('2026-01-01T00:00:01.500Z'))
  })

  test('can give a separate time that others do not share', () => {
    const clock = steppedClock(new Date('2026-01-01T00:00:00Z'))

    clock.now().setFullYear(1999)

    assert.deepEqual(clock.now(), new Date('2026-01-01T00:00:00Z'))
  })
})
