import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { abilitiesOf, lackedBy, LanguageTag, Skill } from './abilities.ts'

describe('a language', () => {
  const read: [string, string][] = [
    ['en', 'en'],
    ['EN', 'en'],
    ['pt_BR', 'pt-br'],
    [' zh-Hant-TW ', 'zh-hant-tw'],
    ['English', 'en'],
    ['SPANISH', 'es'],
    ['español', 'es'],
    ['Deutsch', 'de'],
    ['العربية', 'ar'],
    ['Hebrew', 'he'],
    ['yue', 'yue'],
    ['iw', 'he'],
    ['tl', 'fil'],
    ['Norwegian', 'no'],
    ['en-x', 'en-x'],
  ]
  for (const [written, tag] of read)
    test(`written ${written} is ${tag}`, () => {
      assert.equal(LanguageTag.parse(written), tag)
    })

  for (const written of ['', 'x', 'en us', 'no such language', 'e'.repeat(101)])
    test(`written ${written.slice(0, 20)} is refused`, () => {
      assert(!LanguageTag.safeParse(written).success)
    })
})

describe('missing abilities', () => {
  const lacked = (can: string[], asked: string[]) =>
    lackedBy(abilitiesOf({ skills: [], languages: can }), { skills: [], languages: asked })
      .missing_languages

  test('a dialect covers its language, and not the other way round', () => {
    assert.deepEqual(lacked(['pt-br'], ['pt']), [])
    assert.deepEqual(lacked(['pt'], ['pt-br']), ['pt-br'])
    assert.deepEqual(lacked(['zh-hant-tw'], ['zh-hant', 'zh-hans']), ['zh-hans'])
    assert.deepEqual(lacked(['ptx'], ['pt']), ['pt'])
    assert.deepEqual(lacked(['nb'], ['no', 'nb', 'nn']), ['nn'])
  })

  test('skills are compared in one spelling, whatever their case and spacing', () => {
    const can = abilitiesOf({ skills: ['Cafe\u0301  Work', 'DRIVING'], languages: [] })
    const skills = ['café work', 'driving', 'welding'].map((skill) => Skill.parse(skill))

    const { missing_skills } = lackedBy(can, { skills, languages: [] })

    assert.deepEqual(missing_skills, ['welding'])
  })
})
