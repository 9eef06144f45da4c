/** Runs `npm test` with planted files: whatever goes wrong in one of them fails the run and is reported. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import path from 'node:path'
import { after, describe, test } from 'node:test'

const ROOT = path.join(import.meta.dirname, '..')
const HOOKS = path.join(ROOT, 'server/test/hooks.ts')
const folder = mkdtempSync(path.join(tmpdir(), 'legwork-planted-'))
after(() => rmSync(folder, { recursive: true, force: true }))

const FAILING = `import { test } from 'node:test'
test('passes', () => {})
test('is wrong', () => { throw new Error('two and two are five') })
`
const LATE = `import { test } from 'node:test'
test('throws when it is over', () => { setTimeout(() => { throw new Error('too late') }, 20) })
test('waits', () => new Promise((resolve) => setTimeout(resolve, 200)))
`
const HOOK = `import { test } from 'node:test'
import { atEnd } from ${JSON.stringify(HOOKS)}
atEnd(async () => { throw new Error('the books are wrong') })
test('passes', () => {})
`
const LEAVING = `import { test } from 'node:test'
test('leaves', () => process.exit(0))
test('is never reached', () => {})
`

describe('npm test', () => {
  const cases = [
    { what: 'a failing test', text: FAILING, found: /✖ is wrong[^]*two and two are five/ },
    {
      what: 'an error after the end of its test',
      text: LATE,
      found: /✖ .*after the test ended.*too late/,
    },
    { what: 'a hook that throws', text: HOOK, found: /no test failed[^]*the books are wrong/ },
    { what: 'a process that exits', text: LEAVING, found: /✖ .* broke off: / },
  ]
  for (const { what, text, found } of cases)
    test(`${what} fails the run, and the summary names it`, async () => {
      const { code, output } = await runTests(text)

      assert.equal(code, 1, output)
      assert.match(output, found)
    })

  test('ends with the counts and 0 if everything passes', async () => {
    const { code, output } = await runTests(
      `import { test } from 'node:test'\ntest('is', () => {})\n`,
    )

    assert.equal(code, 0, output)
    assert.match(
      output,
      /ℹ tests 1\nℹ pass 1\nℹ fail 0\nℹ cancelled 0\nℹ skipped 0\nℹ todo 0\nℹ duration_ms \d+\n/,
    )
  })
})

async function runTests(text: string): Promise<{ code: number; output: string }> {
  const file = path.join(folder, 'planted.test.ts')
  writeFileSync(file, text)
  // Uses separate servers, because other tests are cloning this run's template database.
  const {
    TEST_DATABASE_URL: _database,
    TEST_REDIS_URL: _redis,
    NODE_TEST_CONTEXT: _context,
    ...env
  } = process.env
  const child = spawn(process.execPath, ['scripts/test.ts', file], {
    cwd: ROOT,
    env: { ...env, TENANTS_LOG: '' },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding('utf8').on('data', (part: string) => {
      output += part
    })
  const [code] = (await once(child, 'close')) as [number]
  return { code, output }
}
