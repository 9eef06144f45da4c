import assert from 'node:assert/strict'
import { test } from 'node:test'
import { centsOf } from './cents.ts'

test('typed dollar amounts are parsed to cents', () => {
  for (const [text, cents] of [
    ['25', 2500],
    ['25.5', 2550],
    ['$1,234.56', 123_456],
    [' 0.29 ', 29],
    ['', undefined],
    ['-5', undefined],
    ['1.234', undefined],
    ['ten', undefined],
  ] as const)
    assert.equal(centsOf(text), cents, text)
})
