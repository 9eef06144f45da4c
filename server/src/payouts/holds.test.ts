import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Earned, holdOf, inboxOf, isAlike, NEVER, nextDay } from './holds.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR
const EARNED_AT = new Date('2026-03-10T12:00:00Z')
const SETTINGS = { HOLD_HOURS: 48, HOLD_HOURS_NEW: 168, HOLD_HOURS_FREE: 168, AGENT_NEW_DAYS: 30 }

const ago = (ms: number) => new Date(EARNED_AT.getTime() - ms)
const earned = (fields: Partial<Earned>): Earned => ({
  funding: 'wallet',
  earnedAt: EARNED_AT,
  agent: { email: 'a@example.com', registered_from: '203.0.113.1' },
  worker: { email: 'w@example.com', registered_from: '203.0.113.2' },
  deposits: undefined,
  isOwed: false,
  ...fields,
})

describe('holdOf', () => {
  test('money that was not paid in by card is not held', () => {
    assert.equal(holdOf(earned({}), SETTINGS), undefined)
  })

  test('a new agent’s money is held for a week from its latest deposit', () => {
    const deposits = { firstAt: ago(30 * DAY - 1), latestAt: ago(2 * HOUR) }

    assert.deepEqual(holdOf(earned({ deposits }), SETTINGS), {
      reason: 'new_funds',
      until: new Date(deposits.latestAt.getTime() + 168 * HOUR),
    })
  })

  test('an agent whose first deposit is 30 days old is not new', () => {
    const deposits = { firstAt: ago(30 * DAY), latestAt: ago(2 * HOUR) }

    assert.deepEqual(holdOf(earned({ deposits }), SETTINGS), {
      reason: 'new_funds',
      until: new Date(deposits.latestAt.getTime() + 48 * HOUR),
    })
  })

  test('pay of a free task is held from when it was earned, whatever was deposited', () => {
    const deposits = { firstAt: ago(90 * DAY), latestAt: ago(80 * DAY) }

    assert.deepEqual(holdOf(earned({ funding: 'free', deposits }), SETTINGS), {
      reason: 'free_task',
      until: new Date(EARNED_AT.getTime() + 168 * HOUR),
    })
  })

  test('pay of the protection fund for an agent that owes it is held for an operator', () => {
    const deposits = { firstAt: ago(90 * DAY), latestAt: ago(80 * DAY) }

    assert.deepEqual(holdOf(earned({ deposits, isOwed: true }), SETTINGS), {
      reason: 'review',
      until: NEVER,
    })
  })

  test('pay of a free task between lookalikes is held for an operator; wallet pay is not', () => {
    const worker = { email: 'A+work@Example.com', registered_from: null }

    assert.deepEqual(holdOf(earned({ funding: 'free', worker }), SETTINGS), {
      reason: 'self_dealing',
      until: NEVER,
    })
    assert.equal(holdOf(earned({ worker }), SETTINGS), undefined)
  })
})

describe('isAlike', () => {
  const person = (email: string, registered_from: string | null = null) => ({
    email,
    registered_from,
  })

  test('is true for one inbox in different spellings', () => {
    const pairs: [string, string][] = [
      ['a@example.com', 'A@EXAMPLE.COM'],
      ['a+one@example.com', 'a+two@example.com'],
      ['first.last@gmail.com', 'firstlast+x@googlemail.com'],
    ]

    for (const [one, other] of pairs) assert(isAlike(person(one), person(other)), one)
  })

  test('is false for two inboxes, however similar they look', () => {
    const pairs: [string, string][] = [
      ['a@example.com', 'b@example.com'],
      ['a@example.com', 'a@example.org'],
      ['first.last@example.com', 'firstlast@example.com'],
    ]

    for (const [one, other] of pairs) assert(!isAlike(person(one), person(other)), one)
  })

  test('is true for one IP address, if it is specific', () => {
    const from = '2001:db8:0:1::/64'

    assert(isAlike(person('a@example.com', from), person('b@example.com', from)))
    assert(!isAlike(person('a@example.com', from), person('b@example.com', null)))
    assert(!isAlike(person('a@example.com', null), person('b@example.com', null)))
  })

  test('treats an email without a local part as its own inbox', () => {
    assert.equal(inboxOf('+tag@example.com'), '@example.com')
  })
})

describe('nextDay', () => {
  test('starts at midnight UTC, and is never now', () => {
    const midnight = new Date('2026-03-11T00:00:00Z')

    assert.deepEqual(nextDay(EARNED_AT), midnight)
    assert.deepEqual(nextDay(midnight), new Date('2026-03-12T00:00:00Z'))
  })
})
