import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { CLASSES, LABELS, LANGUAGES, labelledTasks } from './labelled-tasks.ts'
import { ORDINARY } from './practice-tasks.ts'

const FOLDER = path.join(import.meta.dirname, 'practice')
const linesOf = (language: string) =>
  readFileSync(path.join(FOLDER, `${language}.tsv`), 'utf8')
    .trimEnd()
    .split('\n')
const lines = LANGUAGES.flatMap(linesOf)
const textsOf = (value: unknown): string[] =>
  typeof value === 'string'
    ? [value]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(textsOf)
      : []

describe('the practice tasks', () => {
  test('have one file for each language, with a class, a label and a text in every line', () => {
    const files = readdirSync(FOLDER).filter((file) => file.endsWith('.tsv'))

    assert.deepEqual(files.toSorted(), LANGUAGES.map((language) => `${language}.tsv`).toSorted())
    for (const line of lines) {
      const [name, label, text, ...rest] = line.split('\t')
      assert(
        [...CLASSES, ORDINARY].some((one) => one === name),
        line,
      )
      assert(
        LABELS.some((one) => one === label),
        line,
      )
      assert(text && rest.length === 0, line)
    }
  })

  test('are half abuse and half benign in every class and language', () => {
    for (const language of LANGUAGES)
      for (const name of CLASSES) {
        const own = linesOf(language).filter((line) => line.startsWith(`${name}\t`))
        const abuse = own.filter((line) => line.startsWith(`${name}\tabuse\t`)).length
        assert(own.length >= 150, `${language} ${name}: ${own.length}`)
        assert(
          Math.abs(2 * abuse - own.length) <= 2,
          `${language} ${name}: ${abuse} of ${own.length}`,
        )
      }
  })

  test('occur once, and share no text with the half that measures', () => {
    const texts = lines.map((line) => line.split('\t')[2]!)
    const measured = new Set(labelledTasks('measure').flatMap(({ body }) => textsOf(body)))

    assert.equal(new Set(texts).size, texts.length)
    const shared = texts
      .flatMap((text) => text.split(' | '))
      .filter((text) => text.length > 20 && measured.has(text))
    assert.deepEqual(shared, [])
  })

  test('contact nobody: no number that rings, and no address but example.com', () => {
    for (const line of lines) {
      for (const [number] of line.matchAll(/\+?\d[\d ()-]{6,}\d/g))
        assert.match(number, /^\+44 7700 900/, line)
      for (const [, host] of line.matchAll(/(?:@|https?:\/\/)([\w.-]*\w\.\w+)/g))
        assert.match(host!, /example\.com$/, line)
    }
  })
})
