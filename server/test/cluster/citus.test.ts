/**
 * The server's tests on Citus, which distributes schemas by itself. They need a server that neither npm nor Debian has, so
 * they run only where CITUS_DATABASE_URL names one. CITUS_FILES are the files; by default all of the server's own.
 */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import path from 'node:path'
import { test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '../../..')
const PASS_MIN = 0.99
const { CITUS_DATABASE_URL, CITUS_FILES = 'server/src' } = process.env
const isGiven = CITUS_DATABASE_URL !== undefined && CITUS_DATABASE_URL !== ''

test('the server’s tests pass on Citus', {
  skip: isGiven ? false : 'not run: CITUS_DATABASE_URL is not set',
}, async (t) => {
  const child = spawn(process.execPath, ['scripts/test.ts', ...CITUS_FILES.split(' ')], {
    cwd: ROOT,
    env: {
      ...process.env,
      // The child is a test runner of its own.
      NODE_TEST_CONTEXT: undefined,
      TEST_DATABASE_URL: CITUS_DATABASE_URL,
      TEST_SHARDS: '16',
      FORCE_GENERIC_PLANS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let output = ''
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString()
  })
  await once(child, 'close')
  const countOf = (name: string) =>
    Number(
      output
        .match(new RegExp(`^ℹ ${name} (\\d+)$`, 'gm'))
        ?.at(-1)
        ?.split(' ')[2],
    )
  const [passed, failed] = [countOf('pass'), countOf('fail')]

  t.diagnostic(`${passed} of ${passed + failed} tests passed`)
  assert(passed / (passed + failed) >= PASS_MIN, output.slice(-2000))
})
