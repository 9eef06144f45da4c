import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { type TestContext, test } from 'node:test'

const HEAD = `
  import { after, test } from 'node:test'
  import { afterEachHere, atEnd } from '${path.join(import.meta.dirname, 'hooks.ts')}'
`

test('an error at the end of a file fails the run, and other hooks still run', (t) => {
  const { status, stdout, stderr } = runFiles(t, [
    `atEnd(async () => { throw new Error('the books are wrong') })
     after(() => console.log('the next hook'))
     test('passes', () => {})`,
  ])

  assert.equal(status, 1)
  assert.match(stdout, /pass 1/)
  assert.match(stdout, /the next hook/)
  assert.match(stderr, /the books are wrong/)
})

test('a file ends before the tests of the next one start, whatever it has awaited', (t) => {
  const file = (name: string) => `
    const open = async () => {
      await new Promise((resolve) => setTimeout(resolve, 1))
      atEnd(async () => console.log('${name} ends'))
    }
    await open()
    test('one', () => console.log('${name} runs'))
    test('two', () => console.log('${name} runs'))`

  const { status, stdout } = runFiles(t, [file('first'), file('second')])

  assert.equal(status, 0)
  assert.deepEqual(stdout.match(/^\w+ (?:runs|ends)$/gm), [
    'first runs',
    'first runs',
    'first ends',
    'second runs',
    'second runs',
    'second ends',
  ])
})

test('an afterEach hook of one file does not run for tests of others', (t) => {
  const file = (name: string) => `
    afterEachHere(async () => console.log('after ${name}'))
    test('one', () => console.log('test ${name}'))
    test('two', () => console.log('test ${name}'))`

  const { stdout } = runFiles(t, [file('first'), file('second')])

  assert.deepEqual(
    stdout.match(/^(?:test|after) \w+$/gm),
    ['first', 'first', 'second', 'second'].flatMap((name) => [`test ${name}`, `after ${name}`]),
  )
})

function runFiles(t: TestContext, bodies: string[]) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-hooks-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const files = bodies.map((body, i) => {
    const file = path.join(folder, `${i}.test.ts`)
    writeFileSync(file, HEAD + body)
    return file
  })
  const { NODE_TEST_CONTEXT: _, ...env } = process.env
  const run = spawnSync(process.execPath, ['--test', '--test-isolation=none', ...files], { env })
  return { status: run.status, stdout: String(run.stdout), stderr: String(run.stderr) }
}
