import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { languageAskedFor } from './languages.ts'

describe('languageAskedFor', () => {
  for (const [header, language] of [
    [undefined, 'en'],
    ['', 'en'],
    ['*', 'en'],
    ['ja, ko;q=0.9', 'en'],
    ['de', 'de'],
    ['es-419,es;q=0.9,en;q=0.8', 'es'],
    ['pt-PT', 'pt-BR'],
    ['PT-br;q=1.0', 'pt-BR'],
    ['ja, fr;q=0.7, ar;q=0.8', 'ar'],
    ['en;q=0.5, fr ; q=0.9', 'fr'],
    ['fr;q=0, de;q=0.1', 'de'],
    ['fr;q=high, de;q=0.1', 'de'],
    ['fra, es', 'es'],
  ] as const)
    test(`${header ?? 'no header'} → ${language}`, () => {
      assert.equal(languageAskedFor(header), language)
    })
})
