import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, pushKeys } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'

const keys = (letter: string) => Buffer.alloc(32, letter).toString('base64')

describe('ops secrets', () => {
  test('shows what still needs a replaced key, and no key itself', async () => {
    const [old, next] = [pushKeys(Buffer.alloc(32, 5)), pushKeys(Buffer.alloc(32, 6))]
    const settings = {
      ...next,
      PUSH_OLD_PRIVATE_KEY: old.PUSH_PRIVATE_KEY,
      WEBHOOK_SECRET_KEYS: `${keys('b')},${keys('a')}`,
      FILES_LINK_KEY: `${'n'.repeat(32)},${'o'.repeat(32)}`,
    }
    const market = await marketplace({ settings })
    await market.agent()
    const worker = await market.worker()
    const insert = `insert into push_subscriptions (id, worker_id, endpoint, p256dh, auth, server_key, created_at)
      values ($1, $2, $1, '', '', $3, now())`
    await market.asOwner(insert, ['psh_1', worker.id, next.PUSH_PUBLIC_KEY])
    await market.asOwner(insert, ['psh_2', worker.id, old.PUSH_PUBLIC_KEY])
    await market.asOwner(insert, ['psh_3', worker.id, null])

    const { out } = await ops(market, 'secrets')

    const lines = out.split('\n')
    const after = (setting: string) => {
      const start = lines.indexOf(setting) + 1
      return lines.slice(start, start + 2).map((line) => line.trim().slice(10))
    }
    assert.deepEqual(after('PUSH_PUBLIC_KEY'), ['current  1 devices', 'replaced  2 devices'])
    const sealed = after('WEBHOOK_SECRET_KEYS')
    assert.match(sealed[0]!, /^current {2}[1-9]\d* agents$/)
    assert.equal(sealed[1], 'replaced  0 agents')
    assert.match(after('FILES_LINK_KEY')[1]!, /^replaced {2}needed until 15 minutes after/)
    for (const secret of [old.PUSH_PRIVATE_KEY, next.PUSH_PRIVATE_KEY, keys('a'), 'o'.repeat(32)])
      assert(!out.includes(secret))
  })
})
