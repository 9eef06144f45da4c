import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { closestLanguage } from './closest-language.ts'
import { LANGUAGES } from './languages.ts'

describe('the closest language to that of a phone', () => {
  const cases = [
    ['pt-BR', 'pt-BR'],
    ['pt', 'pt-BR'],
    ['pt-PT', 'pt-BR'],
    ['pt-br', 'pt-BR'],
    ['es-AR', 'es'],
    ['en-GB', 'en'],
    ['en-XA', 'en-XA'],
    ['zh-Hant-TW', undefined],
    ['', undefined],
  ] as const
  for (const [tag, language] of cases)
    test(`of ${tag || 'an empty tag'} is ${language ?? 'none'}`, () => {
      assert.equal(closestLanguage(tag, Object.keys(LANGUAGES)), language)
    })
})
