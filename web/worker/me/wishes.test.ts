import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { centsOf, LANGUAGE_TAGS } from './wishes.ts'

describe('a typed amount', () => {
  for (const [written, cents] of [
    ['', null],
    [' ', null],
    ['4', 400],
    ['4.1', 410],
    ['4,10', 410],
    ['$ 12.50', 1250],
    ['0', 0],
    ['9999', 999_900],
    ['10000', undefined],
    ['-1', undefined],
    ['4.105', undefined],
    ['four', undefined],
  ] as const)
    test(`“${written}” is parsed as ${cents}`, () => {
      assert.equal(centsOf(written), cents)
    })
})

test('every language in the list has a name', () => {
  const names = new Intl.DisplayNames('en', { type: 'language', fallback: 'none' })

  assert.deepEqual(
    LANGUAGE_TAGS.filter((tag) => names.of(tag) === undefined),
    [],
  )
})
