import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { dateOf, isTimeZone, PERIODS, type Period, spanBetween, spanOf } from './periods.ts'

const HOUR = 3_600_000
const SINCE = new Date('2025-11-20T00:00:00Z')

const of = (period: Period, now: string, tz = 'UTC') => {
  const { start, end, steps } = spanOf(period, { tz, now: new Date(now), since: SINCE })
  return {
    start: start.toISOString(),
    end: end.toISOString(),
    labels: steps.map(({ label }) => label),
  }
}
const hours = ({ start, end }: { start: string; end: string }) =>
  (new Date(end).getTime() - new Date(start).getTime()) / HOUR

describe('a period', () => {
  test('of a day is today in the worker’s zone, by the hour', () => {
    const { start, end, labels } = of('day', '2026-06-10T23:30:00Z', 'Europe/Paris')

    assert.equal(start, '2026-06-10T22:00:00.000Z')
    assert.equal(end, '2026-06-11T22:00:00.000Z')
    assert.equal(labels.length, 24)
    assert.equal(labels[0], '2026-06-11T00:00+02:00')
    assert.equal(labels[23], '2026-06-11T23:00+02:00')
  })

  test('of a week starts on Monday, also on a Sunday and across the end of a year', () => {
    assert.deepEqual(of('week', '2027-01-03T12:00:00Z').labels, [
      '2026-12-28',
      '2026-12-29',
      '2026-12-30',
      '2026-12-31',
      '2027-01-01',
      '2027-01-02',
      '2027-01-03',
    ])
    assert.equal(of('week', '2027-01-04T00:00:00Z').labels[0], '2027-01-04')
  })

  test('of a month has all its days, also in a leap year', () => {
    assert.equal(of('month', '2028-02-10T00:00:00Z').labels.length, 29)
    assert.equal(of('month', '2026-02-10T00:00:00Z').labels.at(-1), '2026-02-28')
    assert.equal(of('month', '2026-12-31T23:59:59Z').end, '2027-01-01T00:00:00.000Z')
  })

  test('of a year is that of the zone, up to its last moment', () => {
    const at = '2026-12-31T11:00:00Z'

    assert.equal(of('year', at, 'Pacific/Auckland').labels[0], '2027-01')
    assert.equal(of('year', at, 'UTC').labels[0], '2026-01')
    assert.equal(of('year', at, 'UTC').labels.at(-1), '2026-12')
    assert.equal(of('year', at, 'Pacific/Auckland').start, '2026-12-31T11:00:00.000Z')
  })

  test('of all time starts with the worker’s first month', () => {
    assert.deepEqual(of('all', '2026-02-01T00:00:00Z').labels, [
      '2025-11',
      '2025-12',
      '2026-01',
      '2026-02',
    ])
  })
})

describe('a change of daylight saving time', () => {
  test('gives the day in spring 23 hours', () => {
    const day = of('day', '2026-03-29T12:00:00Z', 'Europe/Berlin')

    assert.equal(hours(day), 23)
    assert.deepEqual(day.labels.slice(0, 4), [
      '2026-03-29T00:00+01:00',
      '2026-03-29T01:00+01:00',
      '2026-03-29T03:00+02:00',
      '2026-03-29T04:00+02:00',
    ])
  })

  test('gives the day in fall 25 hours, and distinguishes the repeated hour', () => {
    const day = of('day', '2026-10-25T12:00:00Z', 'Europe/Berlin')

    assert.equal(hours(day), 25)
    assert.equal(new Set(day.labels).size, 25)
    assert.deepEqual(day.labels.slice(2, 4), ['2026-10-25T02:00+02:00', '2026-10-25T02:00+01:00'])
  })

  test('gives a week 167 or 169 hours, and seven days', () => {
    const [spring, autumn] = [
      of('week', '2026-03-08T12:00:00Z', 'America/New_York'),
      of('week', '2026-11-01T12:00:00Z', 'America/New_York'),
    ]

    assert.deepEqual([hours(spring), spring.labels.length], [167, 7])
    assert.deepEqual([hours(autumn), autumn.labels.length], [169, 7])
  })

  test('that skips midnight starts the day at the jump', () => {
    const day = of('day', '2026-03-08T12:00:00Z', 'America/Havana')

    assert.equal(day.start, '2026-03-08T05:00:00.000Z')
    assert.equal(day.labels[0], '2026-03-08T01:00-04:00')
    assert.equal(hours(day), 23)
  })

  test('that repeats midnight starts the day the first time', () => {
    const day = of('day', '2026-11-01T12:00:00Z', 'America/Havana')

    assert.equal(day.start, '2026-11-01T04:00:00.000Z')
    assert.equal(hours(day), 25)
  })
})

describe('any range of days', () => {
  const between = (from: string, to: string, tz = 'UTC') => spanBetween({ from, to, tz })

  test('includes the first and the last', () => {
    const { start, end, steps } = between('2026-05-01', '2026-05-03', 'Asia/Kolkata')

    assert.equal(start.toISOString(), '2026-04-30T18:30:00.000Z')
    assert.equal(end.toISOString(), '2026-05-03T18:30:00.000Z')
    assert.deepEqual(
      steps.map(({ label }) => label),
      ['2026-05-01', '2026-05-02', '2026-05-03'],
    )
  })

  test('is shown by hour, day or month, depending on its length', () => {
    assert.equal(between('2026-05-01', '2026-05-01').steps.length, 24)
    assert.equal(between('2026-01-01', '2026-04-02').steps.length, 92)
    assert.deepEqual(
      between('2026-01-15', '2026-05-02').steps.map(({ start, label }) => [
        start.toISOString().slice(0, 10),
        label,
      ]),
      [
        ['2026-01-15', '2026-01'],
        ['2026-02-01', '2026-02'],
        ['2026-03-01', '2026-03'],
        ['2026-04-01', '2026-04'],
        ['2026-05-01', '2026-05'],
      ],
    )
  })
})

describe('any period of any zone', () => {
  const Zone = fc.constantFrom(
    'UTC',
    'Europe/London',
    'America/St_Johns',
    'Australia/Lord_Howe',
    'Asia/Kathmandu',
    'Africa/Casablanca',
    'America/Santiago',
    'Pacific/Apia',
    'Pacific/Chatham',
    'Asia/Beirut',
  )
  const Moment = fc.date({
    min: new Date('2024-01-01'),
    max: new Date('2036-01-01'),
    noInvalidDate: true,
  })

  test('contains now, and its steps are contiguous from start to end', () => {
    fc.assert(
      fc.property(fc.constantFrom(...PERIODS), Zone, Moment, (period, tz, now) => {
        const since = new Date(now.getTime() - 400 * 24 * HOUR)
        const { start, end, steps } = spanOf(period, { tz, now, since })

        assert(start <= now && now < end)
        assert.equal(steps[0]!.start.getTime(), start.getTime())
        const edges = [...steps.map((step) => step.start.getTime()), end.getTime()]
        assert(edges.every((edge, i) => i === 0 || edge > edges[i - 1]!))
        for (const step of steps) assert(step.label.startsWith(dateOf(step.start, tz).slice(0, 7)))
      }),
    )
  })
})

describe('a time zone', () => {
  for (const name of ['UTC', 'Europe/Paris', 'America/Argentina/Buenos_Aires', 'europe/paris'])
    test(`is ${name}`, () => assert(isTimeZone(name)))
  for (const name of [
    '',
    'Mars/Olympus',
    '+02:00',
    'Europe/Paris; drop table workers',
    'x'.repeat(999),
  ])
    test(`is not ${name.slice(0, 40) || 'nothing'}`, () => assert(!isTimeZone(name)))
})
