import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { plain, titleOf } from './words.ts'

describe('titleOf', () => {
  test('is the first sentence, and at most 120 characters', () => {
    const titles = {
      'Is it open? Go and see.': 'Is it open?',
      'Look at v1.2 of it': 'Look at v1.2 of it',
      'First line\nsecond line': 'First line',
      [`${'word '.repeat(40)}end`]: `${'word '.repeat(23)}word…`,
      [`${'x'.repeat(118)}😀😀`]: `${'x'.repeat(118)}…`,
    }

    for (const [description, title] of Object.entries(titles)) {
      assert.equal(titleOf(description), title)
      assert(titleOf(description).length <= 120)
    }
  })
})

test('untrusted text is printed on one line without terminal escapes', () => {
  assert.equal(plain(' a\n\tb\u001b[2J\u202ec '), 'a b [2J c')
})
