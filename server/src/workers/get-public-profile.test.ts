import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { settle } from '../../test/settled.ts'
import { mintId } from '../kit/ids.ts'

const market = await marketplace()

const read = (id: string) => market.call('GET', `/worker/${id}/public`)

describe('GET /worker/:id/public', () => {
  test('[4.5-public] shows anyone the name, level, badges, trust, completed tasks and start date', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const worker = await market.worker({ name: 'Ada', approvals: 24 })
    const since = market.now().toISOString()
    await settle(market, agent, [worker], 'approved')

    const { status, body } = await read(worker.id)

    assert.equal(status, 200)
    assert.deepEqual(body, {
      worker: {
        id: worker.id,
        name: 'Ada',
        trust_score: 91,
        standing_score: 91,
        level: 3,
        badges: ['email_verified', 'first_task'],
        completed: 25,
        member_since: since,
      },
    })
  })

  test('contains neither email nor place', async () => {
    const worker = await market.worker({
      location: { label: 'Baker Street', lat: 51.5238, lng: -0.1586, radius_km: 5 },
      preferences: { secret: 'wish' },
    })

    const { text } = await read(worker.id)

    for (const hidden of [worker.email, '@', 'Baker', '51.5', '0.1586', 'location', 'wish'])
      assert(!text.includes(hidden), hidden)
  })

  for (const status of ['unverified', 'closed'])
    test(`404 for a worker who is ${status}`, async () => {
      const worker = await market.worker()
      await market.asOwner('update workers set status = $2::worker_status where id = $1', [
        worker.id,
        status,
      ])

      const reply = await read(worker.id)

      assert.equal(reply.status, 404)
      assert.equal(reply.body.code, 'worker_not_found')
    })

  for (const id of [
    mintId('worker', new Date(), 1),
    mintId('agent', new Date(), 1),
    'worker_1',
    'nobody',
    `worker_${'x'.repeat(100)}`,
  ])
    test(`404 for ${id.slice(0, 12)}…, as for an unknown worker`, async () => {
      const { status } = await read(id)

      assert.equal(status, 404)
    })

  test('still shows a suspended worker', async () => {
    const worker = await market.worker()
    await market.asOwner(`update workers set status = 'suspended' where id = $1`, [worker.id])

    assert.equal((await read(worker.id)).status, 200)
  })
})
