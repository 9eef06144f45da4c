import assert from 'node:assert/strict'
import { test } from 'node:test'
import { meaningOf } from './trust-words.ts'

test('a new worker’s score is good, a fair one a warning, a low one never green', () => {
  assert.deepEqual(
    [100, 90, 89, 80, 70, 69, 60, 59, 0].map((score) => Object.values(meaningOf(score)).join(' ')),
    [
      'excellent good',
      'excellent good',
      'veryGood good',
      'veryGood good',
      'good good',
      'fair warn',
      'fair warn',
      'low bad',
      'low bad',
    ],
  )
})
