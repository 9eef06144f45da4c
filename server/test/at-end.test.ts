import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import os from 'node:os'
import path from 'node:path'
import { test } from 'node:test'

const FILE = `
  import { after, test } from 'node:test'
  import { atEnd } from '${path.join(import.meta.dirname, 'at-end.ts')}'
  atEnd(async () => { throw new Error('the books are wrong') })
  after(() => console.log('the next hook'))
  test('passes', () => {})
`

test('what is wrong at the end of a file fails the run, and the hooks of others are run', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'legwork-at-end-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const file = path.join(folder, 'one.test.mjs')
  writeFileSync(file, FILE)
  const { NODE_TEST_CONTEXT: _, ...env } = process.env

  const run = spawnSync(process.execPath, ['--test', '--test-isolation=none', file], { env })

  assert.equal(run.status, 1)
  assert.match(String(run.stdout), /pass 1/)
  assert.match(String(run.stdout), /the next hook/)
  assert.match(String(run.stderr), /the books are wrong/)
})
