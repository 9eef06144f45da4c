import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { readScale } from './scale.ts'

describe('readScale', () => {
  for (const [text, type, minimum, maximum] of [
    ['1-10', 'integer', 1, 10],
    ['1 - 10', 'integer', 1, 10],
    [' 1-10 ', 'integer', 1, 10],
    ['1–10', 'integer', 1, 10],
    ['1—5', 'integer', 1, 5],
    ['1‐5', 'integer', 1, 5],
    ['1‑5', 'integer', 1, 5],
    ['1−5', 'integer', 1, 5],
    ['１－１０', 'integer', 1, 10],
    ['1 to 10', 'integer', 1, 10],
    ['1..10', 'integer', 1, 10],
    ['-5-5', 'integer', -5, 5],
    ['−5–5', 'integer', -5, 5],
    ['-5--1', 'integer', -5, -1],
    ['-5 - -1', 'integer', -5, -1],
    ['0.0-1.0', 'number', 0, 1],
    ['0 – 1.0', 'number', 0, 1],
    ['-0.5-0.5', 'number', -0.5, 0.5],
    ['1-2.5', 'number', 1, 2.5],
  ] as const)
    test(`reads ${JSON.stringify(text)} as ${type} from ${minimum} to ${maximum}`, () => {
      assert.deepEqual(readScale(text), { type, minimum, maximum })
    })

  test('reads no other text', () => {
    for (const text of [
      '',
      '1',
      '1-',
      '-5',
      'one-ten',
      '1,5-2',
      '1-10-20',
      '1e3-2e3',
      '1234567-9999999',
    ])
      assert.equal(readScale(text), undefined, text)
  })
})
