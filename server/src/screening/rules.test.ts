import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { compile } from './compile.ts'
import { POLICY_VERSION, SECTIONS } from './policy.ts'
import { type Rule, WARNINGS } from './rule.ts'
import { RULES } from './rules.ts'
import { WARNED } from './rules/warned.ts'
import { wordsOf } from './tokens.ts'

const GUIDE = readFileSync(
  new URL('../../../docs/guide/what-may-be-asked.md', import.meta.url),
  'utf8',
)

function matchOf(rule: Rule) {
  const match = compile([rule])
  return (fields: string[]) => match(fields.map(wordsOf))
}

describe('the screening rules', () => {
  for (const rule of [...RULES, ...WARNED])
    test(`${rule.id} finds its examples, and not the others`, () => {
      const match = compile([rule])

      assert.deepEqual(
        rule.hits.filter((text) => match([wordsOf(text)]).length === 0),
        [],
      )
      assert.deepEqual(
        rule.misses.filter((text) => match([wordsOf(text)]).length > 0),
        [],
      )
      assert(rule.hits.length >= 5 && rule.misses.length >= 2)
    })

  test('have different names', () => {
    const ids = [...RULES, ...WARNED].map(({ id }) => id)
    assert.equal(new Set(ids).size, ids.length)
  })

  test('have at least one rule for every warning', () => {
    assert.deepEqual(new Set(WARNED.map(({ warning }) => warning)), new Set(WARNINGS))
  })

  test('cover every section of the policy, which the guide describes in its current version', () => {
    assert.deepEqual(
      SECTIONS.filter((section) => !RULES.some((rule) => rule.section === section)),
      [],
    )
    const anchors = [...GUIDE.matchAll(/^## (.+)$/gm)].map((match) =>
      match[1]!
        .toLowerCase()
        .replaceAll(/[^\w -]/g, '')
        .replaceAll(' ', '-'),
    )
    assert.deepEqual(
      SECTIONS.filter((section) => !anchors.includes(section)),
      [],
    )
    assert(GUIDE.includes(POLICY_VERSION))
  })

  test('see through capitals, accents, invisible characters, wide letters and look-alikes', () => {
    for (const text of [
      'PÁSSWORD',
      'pass\u200bword',
      'ｐａｓｓｗｏｒｄ',
      'p\u0430ssw\u043erd',
      'pass\u00adword',
    ])
      assert.deepEqual(wordsOf(text), ['password'], text)
    assert.deepEqual(wordsOf('والشُّرطة'), wordsOf('شرطة'))
  })

  test('find a phrase within its distance only, and none across two fields', () => {
    const rule = { ...RULES[0]!, all: [['alpha beta'], ['gamma']], within: 3, none: ['delta'] }
    const match = matchOf(rule)

    assert.equal(match(['alpha beta x gamma']).length, 1)
    assert.equal(match(['gamma x alpha beta']).length, 1)
    assert.equal(match(['gamma x alpha beta x x x alpha']).length, 1)
    assert.equal(match(['alpha beta x x x gamma']).length, 0)
    assert.equal(match(['alpha', 'beta gamma']).length, 0)
    assert.equal(match(['alpha beta gamma', 'delta']).length, 0)
  })

  test('count a clearing phrase only near the match, so that it can’t clear the whole task', () => {
    const rule = { ...RULES[0]!, all: [['alpha']], none: ['delta'] }
    const match = matchOf(rule)
    const far = 'x '.repeat(12)

    assert.equal(match([`delta ${far} alpha`]).length, 1)
    assert.equal(match([`alpha ${far} delta`]).length, 1)
    assert.equal(match([`alpha delta ${far} alpha`]).length, 1)
    assert.equal(match(['alpha x x delta x alpha']).length, 0)
  })
})
