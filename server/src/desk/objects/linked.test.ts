import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { signIn } from '../../../test/desk/sign-in.ts'
import { marketplace, PHOTO } from '../../../test/harness.ts'

const market = await marketplace({ roles: ['api', 'desk'] })
const operator = await signIn(market, 'viewer')
const { shards } = market.server.db
const areSplit = shards.all.length > 1

async function linksOf(id: string): Promise<string[]> {
  const { status, body, text } = await operator.get(`/objects/${id}`)
  assert.equal(status, 200, text)
  return body.object.linked.map(
    ({ how, id: other }: { how: string; id: string }) => `${how} ${other}`,
  )
}

const registeredFrom = (table: string, id: string, address: string | null) =>
  market.asOwner(`update ${table} set registered_from = $2 where id = $1`, [id, address])

/** Two workers on different shards, if there are several. */
async function twoWorkers() {
  const one = await market.worker()
  for (let tries = 0; tries < 50; tries += 1) {
    const other = await market.worker()
    if (!areSplit || shards.at(other.id) !== shards.at(one.id)) return [one, other] as const
  }
  throw new Error('all workers are on one shard')
}

describe('linked accounts', () => {
  test('are none for accounts that share nothing', async () => {
    const [one, other] = await twoWorkers()
    const agent = await market.agent()
    await registeredFrom('workers', one.id, '198.51.100.1')
    await registeredFrom('workers', other.id, '198.51.100.2')
    await registeredFrom('agents', agent.id, null)

    assert.deepEqual(await linksOf(one.id), [])
    assert.deepEqual(await linksOf(agent.id), [])
  })

  test('share an inbox, whatever the tag and the dots of the address', async () => {
    const [one, other] = await twoWorkers()
    const agent = await market.agent()
    await market.asOwner(
      `update worker_emails set email = 'farm.hand@gmail.com' where worker_id = $1`,
      [one.id],
    )
    await market.asOwner(`update workers set email = 'farm.hand@gmail.com' where id = $1`, [one.id])
    await market.asOwner(
      `update worker_emails set email = 'farmhand+2@googlemail.com' where worker_id = $1`,
      [other.id],
    )
    await market.asOwner(
      `update agent_emails set email = 'f.armhand@gmail.com' where agent_id = $1`,
      [agent.id],
    )
    await market.asOwner(`update agents set email = 'f.armhand@gmail.com' where id = $1`, [
      agent.id,
    ])

    assert.deepEqual(await linksOf(one.id), [`inbox ${other.id}`, `inbox ${agent.id}`])
    assert.deepEqual(
      (await linksOf(agent.id)).toSorted((a, b) => (a < b ? -1 : 1)),
      [`inbox ${one.id}`, `inbox ${other.id}`].toSorted((a, b) => (a < b ? -1 : 1)),
    )
  })

  test('share the network address at registration', async () => {
    const [one, other] = await twoWorkers()
    const agent = await market.agent()
    await registeredFrom('workers', one.id, '203.0.113.77')
    await registeredFrom('workers', other.id, '203.0.113.77')
    await registeredFrom('agents', agent.id, '203.0.113.77')

    const links = await linksOf(one.id)

    assert.deepEqual(
      new Set(links),
      new Set([`network address ${other.id}`, `network address ${agent.id}`]),
    )
    assert((await linksOf(agent.id)).includes(`network address ${other.id}`))
  })

  test('share a bank account: its last digits, its country and its owner’s name', async () => {
    const [one, other] = await twoWorkers()
    const namesake = await market.worker()
    const stranger = await market.worker()
    for (const [id, last4, name] of [
      [one.id, '4242', 'Robin Farmer'],
      [other.id, '4242', 'robin farmer'],
      [namesake.id, '1111', 'Robin Farmer'],
      [stranger.id, '4242', 'Somebody Else'],
    ])
      await shards.at(id!).transaction((tx) =>
        tx
          .insertInto('payout_accounts')
          .values({
            worker_id: id!,
            account_id: `acct_${id}`,
            country: 'US',
            email: 'x@example.com',
            name: name!,
            status: 'active',
            bank_last4: last4!,
            created_at: market.now(),
            updated_at: market.now(),
          })
          .execute(),
      )

    assert.deepEqual(await linksOf(one.id), [`bank account ${other.id}`])
    assert.deepEqual(await linksOf(namesake.id), [])
  })

  test('share a photo that both have sent', async () => {
    const agent = await market.agent({ balanceCents: 20_000, freeTasks: false })
    const sent = []
    for (let n = 0; n < 2; n += 1) {
      const { workers } = await market.taskIn(agent, 'proof_submitted', { proof_required: 'photo' })
      sent.push(workers[0]!.id)
    }
    const other = await market.taskIn(agent, 'proof_submitted', { proof_required: 'text' })

    assert(PHOTO.length > 0)
    assert.deepEqual(await linksOf(sent[0]!), [`photo ${sent[1]}`])
    assert.deepEqual(await linksOf(other.workers[0]!.id), [])
  })

  test('share a device or an account of the processor, if they are in different schemas', {
    skip: !areSplit,
  }, async () => {
    const [one, other] = await twoWorkers()
    for (const { id } of [one, other])
      await shards.at(id).transaction(async (tx) => {
        const now = market.now()
        await tx
          .insertInto('push_subscriptions')
          .values({
            id: `psh_${id.slice(7)}`,
            worker_id: id,
            endpoint: 'https://push.example.com/same',
            p256dh: 'p',
            auth: 'a',
            created_at: now,
          })
          .execute()
        await tx
          .insertInto('payout_accounts')
          .values({
            worker_id: id,
            account_id: 'acct_shared',
            country: 'US',
            email: 'x@example.com',
            name: id,
            status: 'active',
            created_at: now,
            updated_at: now,
          })
          .execute()
      })

    assert.deepEqual(await linksOf(one.id), [`payout account ${other.id}`, `device ${other.id}`])
  })

  test('are never those of test mode', async () => {
    const worker = await market.worker()
    await registeredFrom('workers', worker.id, '203.0.113.99')
    const agent = await market.agent()
    await market.asOwner(
      `update agents set registered_from = '203.0.113.99' where twin_id = $1 and mode = 'test'`,
      [agent.id],
    )

    assert.deepEqual(await linksOf(worker.id), [])
  })
})
