/** `keys` and `quote`: what a key may do and spend, and what a task would cost. */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../server/test/harness.ts'
import { openCli } from './run.ts'

const market = await marketplace()
const LEGWORK_URL = market.server.addresses.api!

async function developer() {
  const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
  return { agent, ...openCli({ LEGWORK_URL, LEGWORK_API_KEY: agent.api_key }) }
}

describe('keys', () => {
  test('a capped key exits with 4 above its cap, and with 2 after rotation or revocation', async () => {
    const { run } = await developer()

    const made = await run(
      'keys',
      'create',
      'Scout',
      '--scopes',
      'create,read',
      '--task-max',
      '4.00',
      '--json',
    )
    const { id, api_key, caps, scopes } = made.objects[0]!.key
    const scout = openCli({ LEGWORK_URL, LEGWORK_API_KEY: api_key })
    const above = await scout.run('ask', 'Hm?')
    const below = await scout.run('ask', 'Hm?', '--budget', '4.00', '--json')
    const verdict = await scout.run('approve', below.objects[0]!.task.id as string)
    const rotated = await run('keys', 'rotate', id as string, '--json')
    const listed = await run('keys')
    const { key } = rotated.objects[0]!
    const revoked = await run('keys', 'revoke', key.id as string)
    const after = await openCli({ LEGWORK_URL, LEGWORK_API_KEY: key.api_key }).run('wallet')

    assert.deepEqual([caps.task_max_cents, scopes.toSorted()], [400, ['create', 'read']])
    assert.equal(above.code, 4)
    assert.match(above.stderr, /\(key_cap\)/)
    assert.equal(below.code, 0)
    assert.equal(verdict.code, 1)
    assert.match(verdict.stderr, /\(key_scope\)/)
    assert.match(key.api_key as string, /^lw_live_/)
    assert.match(listed.stdout, /Scout {2}create, read · \$4\.00 per task/)
    assert.deepEqual([revoked.code, after.code], [0, 2])
  })

  test('exits with 2 for an unknown action, a missing name and a wrong key', async () => {
    const { run } = await developer()
    const stranger = openCli({ LEGWORK_URL, LEGWORK_API_KEY: 'lw_live_x' })

    const codes = await Promise.all([
      run('keys', 'melt', 'key_1'),
      run('keys', 'create'),
      run('keys', 'create', 'A', '--expires', 'soon'),
      stranger.run('keys'),
    ])

    assert.deepEqual(
      codes.map(({ code }) => code),
      [2, 2, 2, 2],
    )
  })
})

describe('quote', () => {
  test('prints the usual price, and spends nothing', async () => {
    const { run, agent } = await developer()

    const { code, stdout } = await run('quote', '--where', "St. John's", '--people', '2')

    assert.equal(code, 0)
    assert.match(stdout, /\$\d+\.\d\d is typical for verification \(\$\d+\.\d\d to \$\d+\.\d\d\)/)
    assert.match(stdout, /Ask with: {2}legwork ask "…" --type verification --budget \d+\.\d\d --/)
    assert(stdout.endsWith(String.raw` --where 'St. John'\''s' --people 2` + '\n'), stdout)
    assert.equal(await market.balance(agent.id), 100_000)
  })
})
