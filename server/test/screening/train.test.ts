import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { test } from 'node:test'

test('the weights of the wording score are those that the practice tasks give', (t) => {
  const { status, stdout, stderr } = spawnSync(
    process.execPath,
    ['scripts/train-wording.ts', '--check'],
    { encoding: 'utf8' },
  )

  t.diagnostic(`\n${stdout.trimEnd()}`)
  assert.equal(status, 0, stderr)
})
