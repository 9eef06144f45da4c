/** `init`: creates a key immediately, without an account. */
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readFileSync, statSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { parseEnv } from 'node:util'
import { marketplace } from '../../server/test/harness.ts'
import { openCli } from './run.ts'

const market = await marketplace()
const LEGWORK_URL = market.server.addresses.api!

describe('init', () => {
  test('creates a test agent without an account, and the key works from .env.local', async () => {
    const { run, folder } = openCli({ LEGWORK_URL })

    const made = await run('init')
    const asked = await run('ask', 'Is it open?', '--text')

    assert.deepEqual([made.code, made.stderr], [0, ''])
    assert.match(
      made.stdout,
      /You don’t need an account\. To keep it, claim it within 7 days: http\S+\/console\/go-live\n {2}To claim it, log in there/,
    )
    assert.match(made.stdout, /Wrote LEGWORK_API_KEY=lw_test_\w+… and .* to \.env\.local \(ignored/)
    assert.match(made.stdout, /3 free tasks · \$[\d,.]+ of play money · scripted workers are on\n/)
    assert.match(made.stdout, /Next: {2}legwork ask/)
    const env = parseEnv(readFileSync(path.join(folder, '.env.local'), 'utf8'))
    assert.match(env.LEGWORK_API_KEY!, /^lw_test_/)
    assert.match(env.LEGWORK_WEBHOOK_SECRET!, /^whsec_/)
    assert.equal(env.LEGWORK_URL, LEGWORK_URL)
    assert.equal(statSync(path.join(folder, '.env.local')).mode & 0o777, 0o600)
    assert.equal(readFileSync(path.join(folder, '.gitignore'), 'utf8'), '.env.local\n')
    assert(!made.stdout.includes(env.LEGWORK_API_KEY!), 'the key is not shown on the screen')
    assert.equal(asked.code, 0)
    assert.match(asked.stdout, /\$5\.00 locked, a free task \(test\)/)
  })

  test('warns if git would commit the key anyway', async () => {
    const { run, folder } = openCli({ LEGWORK_URL })
    execFileSync('git', ['init', '-q'], { cwd: folder })
    writeFileSync(path.join(folder, '.gitignore'), '.env.local\n!.env.local\n')

    const seen = await run('init')
    writeFileSync(path.join(folder, '.gitignore'), '.env.local\n')
    const ignored = await run('init', '--force')

    assert.doesNotMatch(seen.stdout, /\(ignored by git\)/)
    assert.match(seen.stdout, /git doesn’t ignore \.env\.local/)
    assert.match(ignored.stdout, /\(ignored by git\)/)
  })

  test('exits with 2 and keeps an existing key; --force replaces it', async () => {
    const { run, folder } = openCli({ LEGWORK_URL })
    await run('init')
    const file = path.join(folder, '.env.local')
    const first = readFileSync(file, 'utf8')

    const refused = await run('init')
    const kept = readFileSync(file, 'utf8')
    const forced = await run('init', '--force', '--json')

    assert.equal(refused.code, 2)
    assert.match(refused.stderr, /was not changed\n.*init --force/)
    assert.equal(kept, first)
    assert.equal(forced.code, 0)
    assert.notEqual(readFileSync(file, 'utf8'), first)
    assert.equal(readFileSync(file, 'utf8').match(/LEGWORK_API_KEY/g)!.length, 1)
  })
})
