import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { needsOnboarding, nextAccountLook, nextBankPayout, statusOf } from './account-status.ts'

const NOW = new Date('2026-03-10T12:00:00Z')
const DAY = 86_400_000

describe('nextBankPayout', () => {
  for (const [now, next] of [
    ['2026-11-17T09:00:00Z', '2026-11-20'],
    ['2026-11-19T23:59:59Z', '2026-11-20'],
    ['2026-11-20T00:00:00Z', '2026-11-27'],
    ['2026-11-21T12:00:00Z', '2026-11-27'],
    ['2026-12-29T12:00:00Z', '2027-01-01'],
  ] as const)
    test(`on ${now} it is ${next}, a Friday`, () =>
      assert.equal(nextBankPayout(new Date(now)), next))
})

describe('statusOf', () => {
  test('follows the capability after onboarding', () => {
    const said = ['active', 'pending', 'restricted', 'rejected', 'unsupported'] as const

    assert.deepEqual(
      said.map((transfers) => statusOf({ transfers, isClosed: false }, { detailsSubmitted: true })),
      ['active', 'pending_verification', 'restricted', 'rejected', 'restricted'],
    )
  })

  test('is onboarding until the questions are answered, unless the account is active or rejected', () => {
    const said = ['active', 'pending', 'restricted', 'rejected', 'unsupported'] as const

    assert.deepEqual(
      said.map((transfers) =>
        statusOf({ transfers, isClosed: false }, { detailsSubmitted: false }),
      ),
      ['active', 'onboarding', 'onboarding', 'rejected', 'onboarding'],
    )
  })

  test('is closed, whatever else is reported', () => {
    assert.equal(
      statusOf({ transfers: 'active', isClosed: true }, { detailsSubmitted: true }),
      'closed',
    )
  })
})

describe('needsOnboarding', () => {
  test('is true if the worker has fields to fill in', () => {
    assert(needsOnboarding('not_connected', []))
    assert(needsOnboarding('onboarding', []))
    assert(needsOnboarding('restricted', ['identity.document']))
    assert(!needsOnboarding('restricted', []))
    assert(!needsOnboarding('pending_verification', []))
    assert(!needsOnboarding('active', []))
    assert(!needsOnboarding('rejected', ['identity.document']))
  })
})

describe('nextAccountLook', () => {
  const minutesUntil = (status: Parameters<typeof nextAccountLook>[0], ageMs: number) => {
    const createdAt = new Date(NOW.getTime() - ageMs)
    const at = nextAccountLook(status, { createdAt, now: NOW })
    return at && (at.getTime() - NOW.getTime()) / 60_000
  }

  test('is in minutes while a new worker waits, then daily, and never for a closed account', () => {
    assert.equal(minutesUntil('onboarding', 0), 5)
    assert.equal(minutesUntil('pending_verification', DAY - 1), 5)
    assert.equal(minutesUntil('pending_verification', DAY), 1440)
    assert.equal(minutesUntil('active', 0), 1440)
    assert.equal(minutesUntil('restricted', 0), 1440)
    assert.equal(minutesUntil('rejected', 0), 1440)
    assert.equal(minutesUntil('closed', 0), null)
  })
})
