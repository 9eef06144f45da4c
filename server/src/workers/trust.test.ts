import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  CAUSES,
  type Cause,
  levelOf,
  nextLevel,
  outcomesOf,
  pointsOf,
  scaleOf,
  standingScore,
  takeBack,
  type TrustRecord,
  trustScore,
} from './trust.ts'

const DAY = 86_400_000
const NOW = new Date('2026-09-01T12:00:00Z')
const NEWCOMER = { trust_good: 0, trust_bad: 0 }

const ago = (days: number) => new Date(NOW.getTime() - days * DAY)
const eventOf = (cause: Cause, at: Date) => ({
  good: CAUSES[cause].good * scaleOf(at),
  bad: CAUSES[cause].bad * scaleOf(at),
  weight: CAUSES[cause].good - CAUSES[cause].bad,
  created_at: at,
})
const sumOf = (events: { good: number; bad: number }[]): TrustRecord =>
  events.reduce<TrustRecord>(
    (sum, { good, bad }) => ({
      trust_good: sum.trust_good + good,
      trust_bad: sum.trust_bad + bad,
    }),
    NEWCOMER,
  )
const times = (count: number, cause: Cause, days = 0) =>
  Array.from({ length: count }, () => eventOf(cause, ago(days)))

const Event = fc
  .record({
    cause: fc.constantFrom(...(Object.keys(CAUSES) as Cause[])),
    days: fc.double({ min: 0, max: 3000, noNaN: true }),
  })
  .map(({ cause, days }) => eventOf(cause, ago(days)))
const Events = fc.array(Event, { maxLength: 200 })
const isClose = (a: number, b: number) =>
  assert(Math.abs(a - b) <= 1e-9 * Math.max(1, Math.abs(a), Math.abs(b)), `${a} is not ${b}`)

describe('the trust score', () => {
  test('of a new worker is 70, on any day', () => {
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 36_500 }), (days) =>
        assert.equal(trustScore(NEWCOMER, ago(-days)), 70),
      ),
    )
  })

  for (const [record, expected] of [
    [{ approved: 1 }, 73],
    [{ approved: 10 }, 85],
    [{ approved: 100 }, 97],
    [{ disputed: 1 }, 54],
    [{ disputed: 2 }, 44],
    [{ abandoned: 1 }, 67],
    [{ abandoned: 6 }, 54],
    [{ approved: 10, disputed: 1 }, 74],
    [{ approved: 3, disputed: 1, abandoned: 1 }, 61],
  ] satisfies [Partial<Record<Cause, number>>, number][])
    test(`after ${JSON.stringify(record)} is ${expected}`, () => {
      const events = Object.entries(record).flatMap(([cause, count]) =>
        times(count, cause as Cause),
      )

      assert.equal(trustScore(sumOf(events), NOW), expected)
    })

  test('counts a cause half after 90 days and a quarter after 180', () => {
    const of = (days: number) => trustScore(sumOf(times(4, 'disputed', days)), NOW)

    assert.deepEqual([of(0), of(90), of(180)], [32, 44, 54])
    assert.deepEqual(
      [of(90), of(180)],
      [trustScore(sumOf(times(2, 'disputed')), NOW), trustScore(sumOf(times(1, 'disputed')), NOW)],
    )
  })

  test('stays from 0 to 100, whatever happened', () => {
    fc.assert(
      fc.property(Events, (events) => {
        const score = trustScore(sumOf(events), NOW)

        assert(Number.isInteger(score) && score >= 0 && score <= 100)
      }),
    )
    assert.equal(trustScore(sumOf(times(100_000, 'approved')), NOW), 100)
    assert.equal(trustScore(sumOf(times(100_000, 'disputed')), NOW), 0)
  })

  test('does not depend on the order of causes', () => {
    fc.assert(
      fc.property(
        Events.chain((events) =>
          fc.tuple(
            fc.constant(events),
            fc.shuffledSubarray(events, { minLength: events.length, maxLength: events.length }),
          ),
        ),
        ([events, shuffled]) => {
          const [one, other] = [sumOf(events), sumOf(shuffled)]

          isClose(one.trust_good, other.trust_good)
          isClose(one.trust_bad, other.trust_bad)
        },
      ),
    )
  })

  test('is restored when a cause is revoked, however much later', () => {
    fc.assert(
      fc.property(Events, Event, fc.integer({ min: 0, max: 3650 }), (events, event, later) => {
        const without = sumOf(events)
        const restored = sumOf([...events, event, takeBack(event)])

        isClose(restored.trust_good, without.trust_good)
        isClose(restored.trust_bad, without.trust_bad)
        assert.equal(trustScore(sumOf([event, takeBack(event)]), ago(-later)), 70)
      }),
    )
  })

  test('never falls by an approval, nor rises by anything else', () => {
    fc.assert(
      fc.property(Events, fc.constantFrom(...(Object.keys(CAUSES) as Cause[])), (events, cause) => {
        const before = trustScore(sumOf(events), NOW)
        const after = trustScore(sumOf([...events, eventOf(cause, NOW)]), NOW)

        assert(cause === 'approved' ? after >= before : after <= before)
      }),
    )
  })

  test('can be computed in two hundred years', () => {
    const then = new Date('2226-01-01T00:00:00Z')

    assert.equal(trustScore(sumOf([eventOf('approved', then)]), then), 73)
  })
})

describe('the points of each change', () => {
  test('are its effect at its time, newest first', () => {
    const events = [
      eventOf('disputed', ago(0)),
      eventOf('approved', ago(0)),
      eventOf('approved', ago(0)),
    ]

    // 70 → 72.73 → 75 → 60
    assert.deepEqual(pointsOf(sumOf(events), events), [-15, 2.3, 2.7])
  })

  test('of a revoked cause are what was left of it', () => {
    const dispute = eventOf('disputed', ago(90))
    const withdrawal = { ...takeBack(dispute), created_at: NOW }

    const [regained, lost] = pointsOf(sumOf([dispute, withdrawal]), [withdrawal, dispute])

    assert.equal(lost, -16.2)
    assert.equal(regained, 9.1)
  })

  test('of all events of one moment add up to the distance from 70', () => {
    fc.assert(
      fc.property(
        fc.array(fc.constantFrom(...(Object.keys(CAUSES) as Cause[])), { maxLength: 30 }),
        (causes) => {
          const events = causes.map((cause) => eventOf(cause, NOW))
          const sum = pointsOf(sumOf(events), events).reduce((total, points) => total + points, 0)

          // Points are rounded to tenths, and the score to an integer.
          const off = Math.abs(trustScore(sumOf(events), NOW) - 70 - sum)
          assert(off <= 0.5 + 0.05 * events.length + 1e-6)
        },
      ),
    )
  })
})

describe('the level', () => {
  const record = (approved: number, score: number, identity: boolean) => ({
    approved_count: approved,
    identity_done_at: identity ? NOW : null,
    trust_pending: 0,
    ...recordOf(score),
  })
  for (const [approved, score, identity, level] of [
    [0, 70, false, 1],
    [4, 100, true, 1],
    [5, 59, true, 1],
    [5, 60, false, 2],
    [24, 100, true, 2],
    [25, 69, true, 2],
    [25, 70, false, 3],
    [100, 80, false, 3],
    [100, 79, true, 3],
    [100, 80, true, 4],
    [299, 100, true, 4],
    [300, 89, true, 4],
    [300, 90, false, 3],
    [300, 90, true, 5],
  ] as const)
    test(`with ${approved} approved, trust ${score}${identity ? ' and identity' : ''} is ${level}`, () => {
      const of = record(approved, score, identity)

      assert.equal(trustScore(of, NOW), score)
      assert.equal(levelOf(of, NOW), level)
    })

  test('has a next one that lists what is missing, and none at the top', () => {
    const at = (...of: Parameters<typeof record>) => nextLevel(record(...of), NOW)

    assert.deepEqual(at(0, 70, false), {
      level: 2,
      approved_needed: 5,
      trust_needed: 0,
      identity_needed: false,
    })
    assert.deepEqual(at(120, 75, false), {
      level: 4,
      approved_needed: 0,
      trust_needed: 5,
      identity_needed: true,
    })
    assert.equal(at(300, 95, true), null)
  })

  test('is reached exactly when nothing is missing', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 400 }),
        fc.integer({ min: 0, max: 100 }),
        fc.boolean(),
        (approved, score, identity) => {
          const of = record(approved, score, identity)
          const next = nextLevel(of, NOW)

          if (next === null) return assert.equal(levelOf(of, NOW), 5)
          assert.equal(next.level, levelOf(of, NOW) + 1)
          assert(next.approved_needed > 0 || next.trust_needed > 0 || next.identity_needed)
        },
      ),
    )
  })
})

describe('standing', () => {
  const History = fc.record({
    approved_count: fc.integer({ min: 0, max: 400 }),
    identity_done_at: fc.constantFrom(null, NOW),
    approvals: fc.array(fc.double({ min: 0, max: 400, noNaN: true }), { maxLength: 40 }),
    disputes: fc.array(
      fc.record({ days: fc.double({ min: 0, max: 60, noNaN: true }), isPending: fc.boolean() }),
      { minLength: 1, maxLength: 12 },
    ),
  })
  type History = typeof History extends fc.Arbitrary<infer H> ? H : never

  /** Sums the causes one by one, each decayed by its own age. */
  function naiveScore(approvalDays: number[], disputeDays: number[]): number {
    const faded = (days: number[]) => days.reduce((sum, one) => sum + 0.5 ** (one / 90), 0)
    const [good, bad] = [faded(approvalDays), 3 * faded(disputeDays)]
    return (100 * (7 + good)) / (10 + good + bad)
  }
  function naiveLevel({ approved_count: count, identity_done_at }: History, exact: number) {
    const score = Math.round(exact)
    if (count >= 300 && score >= 90 && identity_done_at !== null) return 5
    if (count >= 100 && score >= 80 && identity_done_at !== null) return 4
    if (count >= 25 && score >= 70) return 3
    return count >= 5 && score >= 60 ? 2 : 1
  }
  /** False when the exact score is halfway between two integers, where a rounding error decides. */
  const isSharp = (exact: number) => Math.abs(exact - Math.floor(exact) - 0.5) > 1e-6

  const recordFor = ({ approvals, disputes, approved_count, identity_done_at }: History) => {
    const events = disputes.map(({ days }) => eventOf('disputed', ago(days)))
    const record = {
      ...sumOf([...approvals.map((days) => eventOf('approved', ago(days))), ...events]),
      trust_pending: events.reduce(
        (sum, { bad }, i) => (disputes[i]!.isPending ? sum + bad : sum),
        0,
      ),
      approved_count,
      identity_done_at,
    }
    return { record, events }
  }

  test('of any history: the score includes all disputes, the level those that are not pending', () => {
    fc.assert(
      fc.property(History, (history) => {
        const { record } = recordFor(history)
        const { approvals, disputes } = history
        const days = disputes.map((dispute) => dispute.days)
        const settled = disputes.flatMap(({ days, isPending }) => (isPending ? [] : days))
        const [all, counted] = [naiveScore(approvals, days), naiveScore(approvals, settled)]
        fc.pre(isSharp(all) && isSharp(counted))

        assert.equal(trustScore(record, NOW), Math.round(all))
        assert.equal(standingScore(record, NOW), Math.round(counted))
        assert.equal(levelOf(record, NOW), naiveLevel(history, counted))
        assert(standingScore(record, NOW) >= trustScore(record, NOW))
      }),
    )
  })

  test('of any history: each outcome of a pending dispute matches the resulting record', () => {
    fc.assert(
      fc.property(History, fc.nat(), (history, n) => {
        const pending = history.disputes.filter(({ isPending }) => isPending)
        fc.pre(pending.length > 0)
        const { record, events } = recordFor(history)
        const one = pending[n % pending.length]!
        const event = events[history.disputes.indexOf(one)]!
        const { approvals, disputes, approved_count } = history
        const others = disputes.filter((dispute) => dispute !== one)
        const days = (list: typeof disputes) => list.map((dispute) => dispute.days)
        const settled = others.filter(({ isPending }) => !isPending)
        const won = { ...history, approved_count: approved_count + 1 }
        const scores = {
          upheld: [
            naiveScore(approvals, days(disputes)),
            naiveScore(approvals, days([...settled, one])),
          ],
          overturned: [
            naiveScore([...approvals, 0], days(others)),
            naiveScore([...approvals, 0], days(settled)),
          ],
        } as const
        fc.pre([...scores.upheld, ...scores.overturned].every(isSharp))

        assert.deepEqual(outcomesOf(record, event, NOW), {
          if_upheld: {
            trust_score: Math.round(scores.upheld[0]),
            standing_score: Math.round(scores.upheld[1]),
            level: naiveLevel(history, scores.upheld[1]),
          },
          if_overturned: {
            trust_score: Math.round(scores.overturned[0]),
            standing_score: Math.round(scores.overturned[1]),
            level: naiveLevel(won, scores.overturned[1]),
          },
        })
      }),
    )
  })
})

/** Sums that result in this score: (7 + g) / (10 + g + b). */
function recordOf(score: number): TrustRecord {
  const share = Math.min(score, 99.6) / 100
  const good = share <= 0.7 ? 0 : (10 * share - 7) / (1 - share)
  const bad = share <= 0.7 ? 7 / Math.max(share, 0.001) - 10 : 0
  return { trust_good: good * scaleOf(NOW), trust_bad: bad * scaleOf(NOW) }
}
