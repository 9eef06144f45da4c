import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { strengthOf } from './strength.ts'

describe('password strength', () => {
  for (const [password, strength] of [
    ['', 'short'],
    ['aB3$', 'short'],
    ['😀😀😀😀', 'short'],
    ['aaaaaaaaaaaaaaaaaaaa', 'weak'],
    ['abcdefghijklmnop', 'weak'],
    ['12345678', 'weak'],
    ['tlqmzrvx', 'weak'],
    ['tlqmzrvxko', 'fair'],
    ['correct horse battery staple', 'good'],
    ['пароль из четырёх слов', 'good'],
  ] as const)
    test(`“${password}” is ${strength}`, () => {
      assert.equal(strengthOf(password), strength)
    })

  test('the name and email address of the person add no strength', () => {
    const password = 'ada.lovelace'

    assert.notEqual(strengthOf(password), 'weak')
    assert.equal(strengthOf(password, ['Ada', 'ada.lovelace@example.com']), 'weak')
  })
})
