import assert from 'node:assert/strict'
import { test } from 'node:test'
import { coarse, distanceKm } from './position.ts'

test('a position is rounded to 100 meters, and its accuracy includes the rounding', () => {
  const exact = { lat: 53.598149, lng: 9.723101, accuracyM: 8 }
  const sent = coarse(exact)

  assert.deepEqual(sent, { lat: 53.598, lng: 9.723, accuracy_m: 88 })
  assert(distanceKm(exact, sent) * 1000 <= sent.accuracy_m)
})

test('distances follow the curvature of the earth', () => {
  const hamburg = { lat: 53.5511, lng: 9.9937 }
  const berlin = { lat: 52.52, lng: 13.405 }

  assert(Math.abs(distanceKm(hamburg, berlin) - 255) < 2)
  assert.equal(distanceKm(hamburg, hamburg), 0)
})
