import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('npm run story plays every part of a task’s life, and the ledger holds at its end', async () => {
  const { stdout } = await promisify(execFile)('node', ['scripts/story.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    timeout: 120_000,
  })

  const parts = stdout.split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? [])
  assert.deepEqual(parts, [
    'An agent and three people',
    'A photo, approved',
    'A dispute',
    'Three opinions, a conflict, a decision',
    'Nobody comes',
    'The agent is silent',
    'The books',
  ])
  assert.match(stdout, /The ledger holds/)
})
