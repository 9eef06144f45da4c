import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  alertOf,
  askedOf,
  type Card,
  centsPerHour,
  chosenOf,
  countSet,
  fits,
  grossCents,
  minutesOf,
  NO_WISHES,
  reasonsOf,
} from './wishes.ts'

const card = (fields: Partial<Card> = {}): Card => ({
  id: 'task_1',
  agent_id: 'agent_1',
  status: 'pending',
  type: 'gut_check',
  title: 'Look',
  description: 'Look',
  urgency: 'standard',
  proof_required: 'text',
  risks: [],
  budget_cents: 500,
  you_earn_cents: 410,
  est_minutes: 6,
  created_at: '2029-12-01T00:00:00.000Z',
  deadline: '2030-01-01T00:00:00.000Z',
  distance_km: null,
  area: null,
  near: null,
  languages: [],
  slots: { needed: 1, free: 1 },
  auto_approve_after: 86_400,
  agent: {
    id: 'agent_1',
    name: 'Atlas',
    verdicts: 50,
    disputes: 1,
    approval_rate: 0.98,
    overturn_rate: null,
    median_review_s: 360,
  },
  match: { score: 0.5, reasons: [], because: [] },
  ...fields,
})
const near = card({ distance_km: 0.3, area: 'Wedel', near: { lat: 53.6, lng: 9.72 } })

describe('feed filters', () => {
  test('without filters every task matches, in the order of the server', () => {
    assert.equal(fits(card(), NO_WISHES), true)
    assert.deepEqual(askedOf(NO_WISHES, null), { sort: 'match', limit: 30 })
    assert.equal(countSet(NO_WISHES), 0)
  })

  test('each filter passes the tasks that match it', () => {
    const wish = (fields: object) => ({ ...NO_WISHES, ...fields })

    assert.equal(fits(card(), wish({ place: 'near' })), false)
    assert.equal(fits(near, wish({ place: 'near' })), true)
    assert.equal(fits(near, wish({ place: 'remote' })), false)
    assert.equal(fits(card(), wish({ isShort: true })), true)
    assert.equal(fits(card({ est_minutes: 10 }), wish({ isShort: true })), false)
    assert.equal(fits(near, wish({ isShort: true })), false, 'travel time counts')
    assert.equal(fits(card(), wish({ least: { cents: 4100, per: 'hour' } })), true)
    assert.equal(fits(card(), wish({ least: { cents: 4101, per: 'hour' } })), false)
    assert.equal(fits(card(), wish({ least: { cents: 411, per: 'task' } })), false)
    assert.equal(fits(near, wish({ radiusKm: 0.2 })), false)
    assert.equal(
      fits(card(), wish({ radiusKm: 1 })),
      true,
      'a task without a place matches every radius',
    )
    assert.equal(fits(card(), wish({ types: ['custom'] })), false)
    assert.equal(fits(card(), wish({ proofs: ['text'] })), true)
    assert.equal(
      fits(card({ agent: { ...near.agent, approval_rate: 0.89 } }), wish({ isReliable: true })),
      false,
    )
  })

  test('filters of the client load larger pages; filters of the server become query parameters', () => {
    const wishes = {
      ...NO_WISHES,
      place: 'near' as const,
      least: { cents: 300, per: 'task' as const },
      types: ['custom' as const],
      radiusKm: 5,
    }

    assert.deepEqual(askedOf(wishes, { lat: 53.598_15, lng: 9.723_1 }), {
      lat: 53.598,
      lng: 9.723,
      radius_km: 5,
      type: 'custom',
      min_pay_cents: 300,
      sort: 'nearest',
      limit: 100,
    })
    assert.deepEqual(alertOf(wishes, { lat: 53.598_15, lng: 9.723_1 }), {
      lat: 53.598,
      lng: 9.723,
      radius_km: 5,
      types: ['custom'],
      min_pay_cents: 300,
    })
  })

  test('locked tasks come last', () => {
    const cards = [card({ id: 'a', locked: { required_level: 2 } }), card({ id: 'b' })]

    assert.deepEqual(
      chosenOf(cards, NO_WISHES).map(({ id }) => id),
      ['b', 'a'],
    )
  })
})

describe('the value of a task', () => {
  test('the estimate includes the round trip, on foot if it is near', () => {
    assert.deepEqual(minutesOf(near), { work: 6, way: 8, whole: 14, isWalk: true })
    assert.equal(Math.round(centsPerHour(near)), 1757)
    assert.deepEqual(minutesOf({ est_minutes: 6, distance_km: 13 }), {
      work: 6,
      way: 140,
      whole: 146,
      isWalk: false,
    })
  })

  test('“pays well” is shown only if it is true including travel', () => {
    const match = { score: 1, reasons: [], because: [{ code: 'pays_well' as const }] }

    assert.equal(reasonsOf({ ...card(), match }).length, 1)
    assert.equal(reasonsOf({ ...near, match }).length, 0)
  })

  test('the gross pay is the budget, or is computed from the share of the worker', () => {
    assert.equal(grossCents({ budget_cents: 500, you_earn_cents: 410 }), 500)
    assert.equal(grossCents({ budget_cents: 2500, you_earn_cents: 410 }), 500)
  })
})
