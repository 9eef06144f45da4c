import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { requirements } from './requirements.ts'

const ROOT = path.join(import.meta.dirname, '../..')
const NAME = /\b(?:test|it|describe|suite)\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g
const ID = /\[(\d+(?:\.\d+)?-[a-z0-9-]+)\]/g

/** File → the ids in the names of its tests. */
const carried = new Map(
  globSync(['server/**/*.test.ts', 'scripts/**/*.test.ts'], { cwd: ROOT })
    .filter((file) => !file.includes('node_modules'))
    .map((file) => file.split(path.sep).join('/'))
    .map((file) => [file, idsIn(readFileSync(path.join(ROOT, file), 'utf8'))]),
)

function idsIn(text: string): string[] {
  const names = [...text.matchAll(NAME)].map((match) => match[2]!)
  return names.flatMap((name) => [...name.matchAll(ID)].map((match) => match[1]!))
}

describe('the requirements', () => {
  test('have unique ids that start with their section', () => {
    const ids = requirements.map(({ id }) => id)
    const repeated = ids.filter((id, i) => ids.indexOf(id) !== i)
    const misplaced = requirements.filter(({ id, section }) => !id.startsWith(`${section}-`))

    assert.deepEqual(repeated, [])
    assert.deepEqual(misplaced, [])
  })

  test('are each proven by a test or have a reason to wait, and never both', () => {
    const wrong = requirements.filter(
      ({ proof, waits }) => (proof === undefined) === (waits === undefined),
    )

    assert.deepEqual(wrong, [])
  })

  test('are proven in the file they name, by a test with their id', () => {
    const unproven = requirements
      .filter(({ proof }) => proof !== undefined)
      .flatMap(({ id, proof }) => {
        if (!existsSync(path.join(ROOT, proof!))) return [`${id}: there is no ${proof}`]
        return carried.get(proof!)?.includes(id) ? [] : [`${id}: no test in ${proof} carries it`]
      })

    assert.deepEqual(unproven, [])
  })

  test('that wait have no test', () => {
    const waiting = new Set(requirements.filter(({ waits }) => waits).map(({ id }) => id))
    const done = [...carried].flatMap(([file, ids]) =>
      ids.filter((id) => waiting.has(id)).map((id) => `${id} is proven by ${file}`),
    )

    assert.deepEqual(done, [])
  })

  test('include every id in a test', () => {
    const known = new Set(requirements.map(({ id }) => id))
    const unknown = [...carried].flatMap(([file, ids]) =>
      ids.filter((id) => !known.has(id)).map((id) => `${file}: [${id}] is not in the manifest`),
    )

    assert.deepEqual(unknown, [])
  })

  test('have their section in docs/interface.md', () => {
    const text = readFileSync(path.join(ROOT, 'docs/interface.md'), 'utf8')
    const sections = new Set([...text.matchAll(/^##+ (\d+(?:\.\d+)?)\.? /gm)].map((m) => m[1]!))
    const missing = [...new Set(requirements.map(({ section }) => section))].filter(
      (section) => !sections.has(section),
    )

    assert.deepEqual(missing, [])
  })

  test('are counted', (t) => {
    const proven = requirements.filter(({ proof }) => proof !== undefined).length
    const waiting = requirements.filter(({ waits }) => waits !== undefined).length

    t.diagnostic(`requirements: ${proven} proven, ${waiting} wait, of ${requirements.length}`)
    assert.equal(proven + waiting, requirements.length)
  })
})
