import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { CHARACTERS, cutFace, FACES } from './fonts.ts'

const TEXT = path.join(import.meta.dirname, '../text')
const LANGUAGES = ['en', 'es', 'pt-BR', 'fr', 'de']
const BYTES_MAX = 40 * 1024
/** Invisible: only where a word may be divided, and which way it is read. */
const WITHOUT_SHAPE = /[\u00AD\u200E\u200F\u2066-\u2069\n]/g

describe('the typefaces', () => {
  test('weigh 40 KiB together at most', async () => {
    const cut = await Promise.all(FACES.map(cutFace))

    const bytes = cut.reduce((sum, { length }) => sum + length, 0)
    assert(bytes <= BYTES_MAX, `${bytes} bytes`)
    for (const font of cut) assert.equal(font.toString('latin1', 0, 4), 'wOF2')
  })

  for (const language of LANGUAGES)
    test(`have every letter of the messages in ${language}`, () => {
      const files = globSync(`${language}/*.json`, { cwd: TEXT })
      const messages = files.map((file) => readFileSync(path.join(TEXT, file), 'utf8'))
      const values = messages.flatMap((json) => Object.values(JSON.parse(json)) as string[])

      const used = new Set(values.join('').replaceAll(WITHOUT_SHAPE, ''))
      assert(used.size > 60)
      assert.deepEqual(
        [...used].filter((letter) => !CHARACTERS.includes(letter)),
        [],
      )
    })
})
