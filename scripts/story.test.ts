import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import path from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

test('npm run story plays the life of a task with webhooks, and the books balance', async () => {
  const { stdout } = await promisify(execFile)('node', ['scripts/story.ts'], {
    cwd: path.join(import.meta.dirname, '..'),
    timeout: 120_000,
  })

  const parts = stdout.split('\n').flatMap((line) => /^ {2}(\S.*)$/.exec(line)?.[1] ?? [])
  assert.deepEqual(parts, [
    'An agent deposits money',
    'Three people join',
    'A photo is approved',
    'A proof is disputed',
    'Three people disagree, and the agent decides',
    'A task expires',
    'The agent’s server is down, so it doesn’t respond',
    'Ada sets up payouts',
    'A week later',
    'The ledger is reconciled',
  ])
  assert.match(stdout, /The first card is declined: “Your card was declined/)
  assert.match(
    stdout,
    /webhook task\.consensus_proof · event 9 of this task · verified ✓ · responded 204/,
  )
  assert.match(
    stdout,
    /webhook task\.completed · event 3 of this task · verified ✓ · responded 503/,
  )
  assert.match(stdout, /replays the events it missed: 3/)
  assert.match(stdout, /task\.completed · event 3 of this task · seen before · .* responded 204/)
  assert.match(stdout, /paid out: Ada \$28\.06, Cem \$22\.96$/m)
  assert.match(stdout, /The difference is \$0\.00/)
  assert.match(stdout, /The ledger balances/)
})
