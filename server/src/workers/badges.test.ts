import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { BADGES, badgesOf, type BadgeRecord, type Judged } from './badges.ts'

const MINUTE = 60_000
const DAY = 86_400_000
const NOW = new Date('2026-05-20T12:00:00Z')

const task = (fields: Partial<Judged> & { minutes?: number; daysAgo?: number } = {}): Judged => {
  const { minutes = 50, daysAgo = 0, ...rest } = fields
  const ended_at = new Date(NOW.getTime() - daysAgo * DAY)
  const accepted_at = new Date(ended_at.getTime() - 120 * MINUTE)
  return {
    status: 'approved',
    type: 'custom',
    consensus_count: 1,
    accepted_at,
    submitted_at: new Date(accepted_at.getTime() + minutes * MINUTE),
    expires_at: new Date(accepted_at.getTime() + 60 * MINUTE),
    ended_at,
    is_pending: false,
    ...rest,
  }
}
const tasks = (count: number, fields: Parameters<typeof task>[0] = {}) =>
  Array.from({ length: count }, () => task(fields))
const has = (record: Partial<BadgeRecord>) =>
  badgesOf({
    verified_at: null,
    payouts_ready_at: null,
    approved_count: record.judged?.length ?? 0,
    judged: [],
    ...record,
  }).filter((badge) => badge !== 'first_task')

describe('badges', () => {
  test('are empty for a new worker', () => {
    assert.deepEqual(has({}), [])
  })

  test('are given for a verified email, a payout account and a first task', () => {
    const record = { verified_at: NOW, payouts_ready_at: NOW, approved_count: 1, judged: [] }

    assert.deepEqual(badgesOf(record), ['email_verified', 'payout_ready', 'first_task'])
  })

  const days = (list: number[]) => list.map((daysAgo) => task({ daysAgo }))
  for (const [name, judged, expected] of [
    ['seven days in a row', days([0, 1, 2, 3, 4, 5, 6]), ['streak_7']],
    ['seven days long ago', days([40, 41, 42, 43, 44, 45, 46]), ['streak_7']],
    ['seven days in any order, some twice', days([3, 1, 2, 2, 0, 5, 4, 6, 9]), ['streak_7']],
    ['six days in a row', days([0, 1, 2, 3, 4, 5, 5]), []],
    ['seven days with a gap', days([0, 1, 2, 4, 5, 6, 7]), []],
    [
      'seven days, one of them disputed',
      [...days([0, 1, 2, 4, 5, 6]), task({ daysAgo: 3, status: 'disputed' })],
      [],
    ],
    ['twenty in half of the time', tasks(20, { minutes: 30 }), ['fast_responder']],
    ['nineteen in half of the time', tasks(19, { minutes: 30 }), []],
    ['twenty, a minute above half of the time', tasks(20, { minutes: 31 }), []],
    [
      'the latest twenty, however slow earlier ones were',
      [...tasks(20, { minutes: 10 }), ...tasks(40, { minutes: 59 })],
      ['fast_responder', 'spotless_50'],
    ],
    [
      'eleven quick ones of twenty',
      [...tasks(11, { minutes: 5 }), ...tasks(9)],
      ['fast_responder'],
    ],
    ['nine quick ones of twenty', [...tasks(9, { minutes: 5 }), ...tasks(11)], []],
    ['ten field missions', tasks(10, { type: 'field_mission' }), ['field_pro']],
    [
      'nine field missions and a disputed one',
      [...tasks(9, { type: 'field_mission' }), task({ type: 'field_mission', status: 'disputed' })],
      [],
    ],
    ['twenty consensus tasks', tasks(20, { consensus_count: 3 }), ['consensus_sage']],
    ['nineteen consensus tasks', tasks(19, { consensus_count: 3 }), []],
    ['fifty without a dispute', tasks(50), ['spotless_50']],
    [
      'fifty, and a dispute that can be appealed',
      [task({ status: 'disputed', is_pending: true }), ...tasks(50)],
      ['spotless_50'],
    ],
    [
      'forty-nine, and a dispute that can be appealed',
      [task({ status: 'disputed', is_pending: true }), ...tasks(49)],
      [],
    ],
    ['forty-nine without a dispute', tasks(49), []],
    [
      'fifty without a dispute since the last one',
      [...tasks(50), task({ status: 'disputed' })],
      ['spotless_50'],
    ],
    ['a dispute among fifty', [...tasks(49), task({ status: 'disputed' }), ...tasks(9)], []],
  ] as const)
    test(`for ${name}: ${expected.join(', ') || 'none'}`, () => {
      assert.deepEqual(has({ judged }), expected)
    })

  test('have the order of the list', () => {
    const judged = tasks(60, { type: 'field_mission', consensus_count: 2, minutes: 1 }).map(
      (one, i) => ({ ...one, ended_at: new Date(NOW.getTime() - i * DAY) }),
    )

    assert.deepEqual(
      badgesOf({ verified_at: NOW, payouts_ready_at: NOW, approved_count: 60, judged }),
      [...BADGES],
    )
  })
})
