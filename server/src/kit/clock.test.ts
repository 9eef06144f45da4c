import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { databaseClock, steppedClock } from './clock.ts'

describe('the database’s clock', () => {
  test('is this machine’s until it has asked', () => {
    const before = Date.now()

    const now = databaseClock().now().getTime()

    assert(now >= before && now <= Date.now())
  })

  for (const [words, hours] of [
    ['ahead', 3],
    ['behind', -3],
  ] as const)
    test(`is followed when it is ${words} of this machine’s`, async () => {
      const clock = databaseClock()
      const away = hours * 3_600_000

      const offset = await clock.follow(async () => new Date(Date.now() + away))

      assert(Math.abs(offset - away) < 1000)
      assert(Math.abs(clock.now().getTime() - (Date.now() + away)) < 1000)
    })

  test('keeps the last difference when the database can not be asked', async () => {
    const clock = databaseClock()
    await clock.follow(async () => new Date(Date.now() + 60_000))

    await assert.rejects(clock.follow(() => Promise.reject(new Error('away'))))

    assert(Math.abs(clock.now().getTime() - (Date.now() + 60_000)) < 1000)
  })
})

describe('a stepped clock', () => {
  test('stands still until it is told to move', () => {
    const start = new Date('2026-01-01T00:00:00Z')
    const clock = steppedClock(start)
    const before = clock.now()

    clock.advance(1500)

    assert.deepEqual(before, start)
    assert.deepEqual(clock.now(), new Date('2026-01-01T00:00:01.500Z'))
  })

  test('gives a time of its own that nobody can move for others', () => {
    const clock = steppedClock(new Date('2026-01-01T00:00:00Z'))

    clock.now().setFullYear(1999)

    assert.deepEqual(clock.now(), new Date('2026-01-01T00:00:00Z'))
  })
})
