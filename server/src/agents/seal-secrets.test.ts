import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import type { Db } from '../kit/db.ts'
import { keepSecret, keptPrefix, mintWebhookSecret, readSecret } from '../kit/secrets.ts'
import { sealSecrets } from './seal-secrets.ts'

const market = await marketplace({ settings: { LOG_LEVEL: 'silent' } })
const [older, newer] = [randomBytes(32).toString('base64'), randomBytes(32).toString('base64')]

/** The secrets of agents registered here are encrypted with the market's own key, which comes last as the oldest. */
async function seal(keys: string[], db: Db = market.server.db) {
  const { config } = market.server
  const all = keys.length === 0 ? [] : [...keys, ...config.WEBHOOK_SECRET_KEYS]
  const sealing = { ...market.background, config: { ...config, WEBHOOK_SECRET_KEYS: all } }
  await sealSecrets.run({ ...sealing, db, payload: {} })
}

interface Kept {
  id: string
  webhook_secret: string
  webhook_secret_old: string | null
}

const keptOf = async (ids: string[]): Promise<Kept[]> =>
  (await market.asOwner(
    'select id, webhook_secret, webhook_secret_old from agents where id = any($1) order by id',
    [ids],
  )) as Kept[]

/** An agent whose secrets are stored as `keep` returns them. */
async function agentWith(keep: (secret: string, owner: string) => string, hasOld = false) {
  const { id } = await market.agent()
  const [secret, old] = [mintWebhookSecret(), mintWebhookSecret()]
  await market.asOwner(
    'update agents set webhook_secret = $2, webhook_secret_old = $3 where id = $1',
    [id, keep(secret, id), hasOld ? keep(old, id) : null],
  )
  return { id, secret, old }
}

const inClear = (secret: string) => secret
const under = (key: string) => (secret: string, owner: string) =>
  keepSecret(secret, { keys: [key], owner })

describe('agents.seal-secrets', () => {
  test('seals plain secrets and those under an older key, including previous ones, and loses none', async () => {
    const agents = [
      await agentWith(inClear),
      await agentWith(inClear, true),
      await agentWith(under(older), true),
      await agentWith(under(newer)),
    ]
    const untouched = await keptOf([agents[3]!.id])

    await seal([newer, older])

    const prefix = keptPrefix({ keys: [newer] })
    for (const { id, secret, old } of agents) {
      const [kept] = await keptOf([id])
      const open = (text: string) => readSecret(text, { keys: [newer], owner: id })
      assert(kept!.webhook_secret.startsWith(prefix))
      assert.equal(open(kept!.webhook_secret), secret)
      if (kept!.webhook_secret_old !== null) assert.equal(open(kept!.webhook_secret_old), old)
    }
    assert.deepEqual(await keptOf([agents[3]!.id]), untouched)
    const [left] = await market.asOwner(
      'select count(*)::integer as count from agents where not starts_with(webhook_secret, $1)',
      [prefix],
    )
    assert.equal(left!.count, 0)
  })

  test('changes nothing without keys', async () => {
    const { id, secret } = await agentWith(inClear)

    await seal([])

    assert.equal((await keptOf([id]))[0]!.webhook_secret, secret)
  })

  test('does not restore a secret that is rotated at the same time', async () => {
    const { id } = await agentWith(inClear)
    const rotated = under(newer)(mintWebhookSecret(), id)
    const db = market.at(id)
    const late: Db = {
      ...db,
      async transaction(work) {
        await market.asOwner('update agents set webhook_secret = $2 where id = $1', [id, rotated])
        return db.transaction(work)
      },
    }

    await seal([newer, older], { ...late, shards: { ...db.shards, all: [late] } })

    assert.equal((await keptOf([id]))[0]!.webhook_secret, rotated)
  })

  test('fails if a key is missing, leaves those secrets unchanged, and seals the others', async () => {
    const lost = await agentWith(under(randomBytes(32).toString('base64')))
    const others = await Promise.all(Array.from({ length: 8 }, () => agentWith(inClear)))
    const before = await keptOf([lost.id])

    await assert.rejects(seal([newer]), /1 webhook secrets cannot be decrypted/)

    assert.deepEqual(await keptOf([lost.id]), before)
    const prefix = keptPrefix({ keys: [newer] })
    for (const { webhook_secret } of await keptOf(others.map(({ id }) => id)))
      assert(webhook_secret.startsWith(prefix))
    await market.asOwner('update agents set webhook_secret = $2 where id = $1', [lost.id, 'whsec_'])
  })

  test('processes more agents than one batch', async () => {
    await market.asOwner(
      `insert into agents (id, mode, twin_id, name, email, webhook_secret, created_at)
         select 'agent_' || lpad(i::text, 26, '0'), 'live', 'none', 'Many', 'many@example.com', 'whsec_' || i, now()
           from generate_series(1, 1100) i`,
    )

    await seal([newer])

    const [left] = await market.asOwner(
      `select count(*)::integer as count from agents where webhook_secret like 'whsec_%'`,
    )
    assert.equal(left!.count, 0)
  })
})
