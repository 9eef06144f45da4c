import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { TYPES } from '../tasks/fields.ts'
import { becauseOf, type Candidate, inWords, scoreOf } from './score.ts'

const NOW = new Date('2026-03-01T12:00:00Z')
const HOUR = 3_600_000
const plain: Candidate = {
  type: 'custom',
  pay_cents: 500,
  skill_count: 0,
  deadline_ms: NOW.getTime() + 72 * HOUR,
  paid_chance: 0.9,
  distance_km: 2,
}
const score = (changes: Partial<Candidate> = {}, done = {}) =>
  scoreOf({ ...plain, ...changes }, { done, asOf: NOW })

describe('scoreOf', () => {
  test('grows with pay, its likelihood, skills, experience and urgency, and falls with distance and time', () => {
    assert(score({ pay_cents: 600 }) > score())
    assert(score({ paid_chance: 0.99 }) > score())
    assert(score({ skill_count: 1 }) > score())
    assert(score({}, { custom: 1 }) > score())
    assert.equal(score({}, { gut_check: 9 }), score())
    assert(score({ deadline_ms: NOW.getTime() + HOUR }) > score())
    assert(score({ distance_km: 1 }) > score())
    assert(score({ type: 'field_mission' }) < score())
  })

  test('ranks a remote task like one nearby', () => {
    assert(score({ distance_km: null }) < score({ distance_km: 0 }))
    assert(score({ distance_km: null }) > score({ distance_km: 10 }))
  })

  test('is from 0 to 1 for any task', () => {
    fc.assert(
      fc.property(
        fc.record({
          type: fc.constantFrom(...TYPES),
          pay_cents: fc.integer({ min: 1, max: 1_000_000 }),
          skill_count: fc.nat(20),
          deadline_ms: fc.integer(),
          paid_chance: fc.double({ min: 0, max: 1, noNaN: true }),
          distance_km: fc.option(fc.double({ min: 0, max: 20_000, noNaN: true })),
        }),
        (task) => {
          const value = scoreOf(task, { done: { custom: 3 }, asOf: NOW })
          assert(value >= 0 && value <= 1)
        },
      ),
    )
  })
})

describe('becauseOf', () => {
  test('explains in plain words what speaks for a task', () => {
    const reasons = (changes: Partial<Candidate>, { done = {}, skills = [] as string[] } = {}) =>
      becauseOf({ ...plain, ...changes }, skills, { done, asOf: NOW }).map(inWords)

    assert.deepEqual(reasons({ distance_km: 8 }), [])
    assert.deepEqual(reasons({ distance_km: 0.31 }, { done: { custom: 4 } }), [
      'You’ve done 4 like this',
      '300 m away',
    ])
    assert.deepEqual(reasons({ distance_km: 0.01 }), ['100 m away'])
    assert.deepEqual(reasons({ distance_km: 0.97 }), ['1 km away'])
    assert.deepEqual(reasons({ distance_km: 2.44 }), ['2.4 km away'])
    assert.deepEqual(reasons({ distance_km: null }, { skills: ['photography'] }), [
      'Matches your skill: photography',
    ])
    assert.deepEqual(reasons({ distance_km: null }, { skills: ['a', 'b', 'c', 'd'] }), [
      'Matches your skills: a, b, c',
    ])
    assert.deepEqual(
      reasons({ distance_km: null, pay_cents: 900, deadline_ms: NOW.getTime() + HOUR }),
      ['Pays well for the time it takes', 'Ends soon'],
    )
  })

  test('is data for an app, rounded to 100 meters', () => {
    const task = { ...plain, distance_km: 0.01, pay_cents: 900, deadline_ms: NOW.getTime() + HOUR }

    assert.deepEqual(becauseOf(task, ['a', 'b', 'c', 'd'], { done: { custom: 2 }, asOf: NOW }), [
      { code: 'done_before', count: 2 },
      { code: 'skills', skills: ['a', 'b', 'c'] },
      { code: 'near', distance_km: 0.1 },
      { code: 'pays_well' },
      { code: 'ends_soon' },
    ])
  })
})
