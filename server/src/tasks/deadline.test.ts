import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { Warning } from '../kit/endpoint.ts'
import { ApiError } from '../kit/errors.ts'
import { durationMs, resolveDeadline, URGENCIES } from './deadline.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const now = new Date('2026-01-31T12:00:00.000Z')
const warn = () => {}
const resolve = (text: string | undefined, windowEnd?: Date) =>
  resolveDeadline(text, { urgency: 'standard', windowEnd, now, warn }).toISOString()
const warningsOf = (text: string) => {
  const warnings: Warning[] = []
  const deadline = resolveDeadline(text, {
    urgency: 'standard',
    windowEnd: undefined,
    now,
    warn: (warning) => warnings.push(warning),
  })
  return { deadline: deadline.toISOString(), codes: warnings.map(({ code }) => code), warnings }
}
const refusal = (message: string) => (error: unknown) =>
  error instanceof ApiError && error.status === 400 && error.message === message

describe('durationMs', () => {
  test('parses whole minutes, hours and days', () => {
    const read = { '1m': MINUTE, '90m': 90 * MINUTE, '2h': 2 * HOUR, '3d': 3 * DAY, '0m': 0 }

    for (const [text, ms] of Object.entries(read)) assert.equal(durationMs(text), ms, text)
  })

  test('parses nothing else', () => {
    for (const text of [
      '',
      'm',
      '5',
      '5s',
      '5w',
      '-5m',
      '1.5h',
      '5 m',
      '5M',
      '1h30m',
      ' 5m',
      '5m\n',
    ])
      assert.equal(durationMs(text), undefined, JSON.stringify(text))
  })
})

describe('resolveDeadline', () => {
  test('is a duration from now, or a time', () => {
    const read = {
      '30m': '2026-01-31T12:30:00.000Z',
      '2h': '2026-01-31T14:00:00.000Z',
      '3d': '2026-02-03T12:00:00.000Z',
      '90d': '2026-05-01T12:00:00.000Z',
      '2160h': '2026-05-01T12:00:00.000Z',
      '2026-02-01': '2026-02-01T00:00:00.000Z',
      '2026-02-01T10:00': '2026-02-01T10:00:00.000Z',
      '2026-02-01T10:00:30': '2026-02-01T10:00:30.000Z',
      '2026-02-01T10:00:30.5': '2026-02-01T10:00:30.500Z',
      '2026-02-01T10:00Z': '2026-02-01T10:00:00.000Z',
      '2026-02-01T10:00:30.123456Z': '2026-02-01T10:00:30.123Z',
      '2026-02-01T10:00:00+02:00': '2026-02-01T08:00:00.000Z',
      '2026-02-01T10:00:00-0530': '2026-02-01T15:30:00.000Z',
      '2026-01-31T12:00:00.001Z': '2026-01-31T12:00:00.001Z',
      '2026-05-01T12:00:00Z': '2026-05-01T12:00:00.000Z',
      '2026-02-01 10:00': '2026-02-01T10:00:00.000Z',
      '2026-02-01T10:00:30.123456+00:00': '2026-02-01T10:00:30.123Z',
      '2026-02-01 10:00:30.123456+00:00': '2026-02-01T10:00:30.123Z',
      '2026-02-01 10:00:30.123456789 +0000 UTC': '2026-02-01T10:00:30.123Z',
      '2026-02-01 10:00:00+00': '2026-02-01T10:00:00.000Z',
      '2026-02-01t10:00:00z': '2026-02-01T10:00:00.000Z',
      '2026-02-01 10:00:00 UTC': '2026-02-01T10:00:00.000Z',
      ' 2h ': '2026-01-31T14:00:00.000Z',
      '2 H': '2026-01-31T14:00:00.000Z',
      '2026-01-31': '2026-01-31T23:59:59.999Z',
    }

    for (const [text, deadline] of Object.entries(read)) assert.equal(resolve(text), deadline, text)
  })

  test('reads a time without a zone as UTC, wherever the server is', () => {
    const { TZ = 'UTC' } = process.env
    try {
      process.env.TZ = 'America/New_York'
      assert.equal(new Date('2026-02-01T10:00').toISOString(), '2026-02-01T15:00:00.000Z')

      assert.equal(resolve('2026-02-01T10:00'), '2026-02-01T10:00:00.000Z')
      assert.equal(resolve('2026-02-01'), '2026-02-01T00:00:00.000Z')
    } finally {
      process.env.TZ = TZ
    }
  })

  test('400 for other texts', () => {
    const nonsense = [
      '',
      ' ',
      'soon',
      'tomorrow',
      '5',
      '5w',
      '-2h',
      '1.5h',
      '2h30m',
      'P1D',
      '1770000000',
      '2026-02-30',
      '2026-02-30T10:00Z',
      '2026-04-31T10:00:00Z',
      '2026-13-01',
      '2026-00-10',
      '2026-02-01T25:00Z',
      '2026-02-01T10:60Z',
      '2026-02-01T10:00:61Z',
      '2026-2-1',
      '2026-02-01T10Z',
      '01/02/2026',
      'Sun Feb 01 2026',
      '+2h',
      '2026-02-01T10:00+25:00',
      '2026-02-01T10:00Z; drop table tasks',
    ]

    for (const text of nonsense)
      assert.throws(
        () => resolve(text),
        refusal('deadline must be a duration such as 30m, 2h or 3d, or an ISO 8601 time'),
        text,
      )
  })

  test('400 for a time that is not in the future', () => {
    for (const text of ['0m', '0d', '2026-01-31T12:00:00Z', '2026-01-31T13:59+02:00', '1999-01-01'])
      assert.throws(() => resolve(text), refusal('deadline must be in the future'), text)
  })

  test('caps at 90 days, with a warning', () => {
    for (const text of [
      '91d',
      '2161h',
      '9999999d',
      '2026-05-01T12:00:00.001Z',
      '9999-12-31T23:59:59Z',
    ])
      assert.deepEqual(
        warningsOf(text),
        {
          deadline: '2026-05-01T12:00:00.000Z',
          codes: ['deadline_clamped'],
          warnings: [
            {
              code: 'deadline_clamped',
              path: 'deadline',
              message: 'deadline is more than 90 days ahead; the task ends after 90 days',
            },
          ],
        },
        text,
      )
    assert.deepEqual(warningsOf('2999-01-01').codes, ['time_zone_assumed', 'deadline_clamped'])
    assert.deepEqual(warningsOf('90d').codes, [])
  })

  test('warns that a time without a zone is read as UTC', () => {
    assert.deepEqual(warningsOf('2026-02-01T10:00').warnings, [
      {
        code: 'time_zone_assumed',
        path: 'deadline',
        message: 'deadline has no time zone; interpreted as UTC: 2026-02-01T10:00:00.000Z',
      },
    ])
    assert.deepEqual(warningsOf('2026-02-01T10:00Z').codes, [])
    assert.deepEqual(warningsOf('2026-02-01T10:00+02:00').codes, [])
  })

  test('derives the default from the urgency', () => {
    const usual = URGENCIES.map((urgency) => [
      urgency,
      resolveDeadline(undefined, { urgency, windowEnd: undefined, now, warn }).getTime() -
        now.getTime(),
    ])

    assert.deepEqual(usual, [
      ['instant', HOUR],
      ['urgent', DAY],
      ['standard', 7 * DAY],
      ['flex', 30 * DAY],
      ['scheduled', 30 * DAY],
    ])
  })

  test('lasts at least until the end of the window; 400 if that is too far', () => {
    const windowEnd = (ms: number) => new Date(now.getTime() + ms)

    assert.equal(resolve(undefined, windowEnd(DAY)), windowEnd(7 * DAY).toISOString())
    assert.equal(resolve(undefined, windowEnd(8 * DAY)), windowEnd(8 * DAY).toISOString())
    assert.equal(resolve(undefined, windowEnd(90 * DAY)), windowEnd(90 * DAY).toISOString())
    assert.throws(
      () => resolve(undefined, windowEnd(90 * DAY + 1)),
      refusal('scheduled_at must be at most 90 days ahead'),
    )
  })

  test('any text is either refused with 400 or a time within 90 days', () => {
    const text = fc.oneof(
      fc.string(),
      fc.stringMatching(/^\d{1,8}[mhd]$/),
      fc.stringMatching(/^20\d\d-[01]\d-[0-3]\d(T[0-2]\d:[0-6]\d(Z|[+-][0-2]\d:[0-6]\d)?)?$/),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    )
    fc.assert(
      fc.property(text, fc.constantFrom(...URGENCIES), (deadline, urgency) => {
        try {
          const at = resolveDeadline(deadline, { urgency, windowEnd: undefined, now, warn })
          return at > now && at.getTime() <= now.getTime() + 90 * DAY
        } catch (error) {
          return error instanceof ApiError && error.status === 400
        }
      }),
    )
  })

  test('any future time, written in any zone, is that time', () => {
    const ahead = fc.integer({ min: 1, max: 90 * DAY }).map((ms) => new Date(now.getTime() + ms))
    const zone = fc.integer({ min: -14 * 60, max: 14 * 60 })
    fc.assert(
      fc.property(ahead, zone, (at, minutes) => {
        const local = new Date(at.getTime() + minutes * MINUTE).toISOString().slice(0, -1)
        const [hours, rest] = [Math.floor(Math.abs(minutes) / 60), Math.abs(minutes) % 60]
        const pad = (part: number) => String(part).padStart(2, '0')
        const text = `${local}${minutes < 0 ? '-' : '+'}${pad(hours)}:${pad(rest)}`

        assert.equal(resolve(text), at.toISOString())
      }),
    )
  })
})
