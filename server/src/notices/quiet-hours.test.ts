import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { pushTime, quietUntil } from './quiet-hours.ts'

const NIGHT = { from: '22:00', to: '07:00', tz: 'Europe/Berlin' }

describe('quiet hours', () => {
  for (const [at, until, why] of [
    ['2026-01-10T20:59:59Z', undefined, 'just before the start'],
    ['2026-01-10T21:00:00Z', '2026-01-11T06:00:00Z', 'at the start'],
    ['2026-01-10T23:30:20Z', '2026-01-11T06:00:00Z', 'past midnight'],
    ['2026-01-11T05:59:59Z', '2026-01-11T06:00:00Z', 'just before the end'],
    ['2026-01-11T06:00:00Z', undefined, 'at the end'],
    ['2026-03-28T22:00:00Z', '2026-03-29T05:00:00Z', 'in the night of the skipped DST hour'],
    ['2026-10-24T21:00:00Z', '2026-10-25T06:00:00Z', 'in the night of the repeated DST hour'],
  ] as const)
    test(`${why}: ${at} → ${until ?? 'none'}`, () => {
      assert.equal(
        quietUntil(NIGHT, new Date(at))?.toISOString(),
        until && new Date(until).toISOString(),
      )
    })

  test('may be during the day, and may be empty', () => {
    const noon = { from: '12:00', to: '13:30', tz: 'UTC' }

    assert.equal(
      quietUntil(noon, new Date('2026-01-10T12:10:00Z'))?.toISOString(),
      '2026-01-10T13:30:00.000Z',
    )
    assert.equal(quietUntil(noon, new Date('2026-01-10T22:00:00Z')), undefined)
    assert.equal(quietUntil({ ...noon, to: '12:00' }, new Date('2026-01-10T12:00:00Z')), undefined)
  })
})

describe('a push in quiet hours', () => {
  const at = new Date('2026-01-10T23:00:00Z')
  const morning = new Date('2026-01-11T06:00:00Z')
  const quiet = NIGHT

  test('waits until they end', () => {
    assert.deepEqual(pushTime(at, { quiet, isPressing: false, until: null }), morning)
    const later = new Date('2026-01-12T00:00:00Z')
    assert.deepEqual(pushTime(at, { quiet, isPressing: false, until: later }), morning)
  })

  test('does not wait if it would be too late, is about a held task, or no hours are set', () => {
    assert.deepEqual(pushTime(at, { quiet, isPressing: false, until: morning }), at)
    assert.deepEqual(pushTime(at, { quiet, isPressing: true, until: null }), at)
    assert.deepEqual(pushTime(at, { quiet: null, isPressing: false, until: null }), at)
  })
})
