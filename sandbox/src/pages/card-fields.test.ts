import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { TEST_CARDS } from '../cards.ts'
import { hasCheckDigit, inGroups, readCard, readExpiry } from './card-fields.ts'

const now = new Date('2026-11-15T08:00:00Z')
const good: Record<string, string> = {
  number: '4242 4242 4242 4242',
  expiry: '11 / 26',
  cvc: '123',
  name: 'Ann',
}
const read = (changes: Record<string, string>) =>
  readCard((name) => ({ ...good, ...changes })[name] ?? '', now)

test('a complete card has no problems until the end of its expiry month', () => {
  assert.deepEqual(read({}), { number: '4242424242424242', name: 'Ann', problems: {} })
  assert.deepEqual(Object.keys(read({ expiry: '10 / 26' }).problems), ['expiry'])
})

test('each invalid field is named, and only that one', () => {
  const wrong = {
    number: ['', '4242', '4242 4242 4242 4241', 'abcd efgh ijkl mnop'],
    expiry: ['', '13 / 30', '0 / 30', '12', '12 / 3'],
    cvc: ['', '12', '12345', 'abc'],
    name: [''],
  }
  for (const [field, values] of Object.entries(wrong))
    for (const value of values)
      assert.deepEqual(Object.keys(read({ [field]: value }).problems), [field], `${field} ${value}`)
})

test('a date is parsed in every format', () => {
  for (const typed of ['1234', '12/34', '12 / 34', '12/2034', '12-34'])
    assert.equal(readExpiry(typed)?.toISOString(), '2035-01-01T00:00:00.000Z', typed)
})

test('the check digit is valid for every test card, and for none with one digit changed', () => {
  for (const { number } of TEST_CARDS) {
    assert(hasCheckDigit(number), number)
    fc.assert(
      fc.property(fc.nat(number.length - 1), fc.integer({ min: 1, max: 9 }), (at, by) => {
        const digit = (Number(number[at]) + by) % 10
        assert(!hasCheckDigit(`${number.slice(0, at)}${digit}${number.slice(at + 1)}`))
      }),
    )
  }
})

test('numbers are shown in groups of four', () => {
  assert.equal(inGroups('4242424242424242'), '4242 4242 4242 4242')
  assert.equal(inGroups('378282246310005'), '3782 8224 6310 005')
})
