import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { requestWork } from './record-event.ts'
import { showBacklog, showReceivers } from './gauges.ts'

const market = await marketplace()

const shown = () => market.server.metrics.registry.metrics()

test('the gauges show the delivery delay and the number of failing receivers', async () => {
  const [late, failing, disabled] = await Promise.all([1, 2, 3].map(() => market.agent()))
  await market.asOwner(
    `insert into webhook_lanes (id, agent_id, due_at, failing_since, disabled_at, disabled_for)
     values ($1, $1, $4::timestamptz, null, null, null), ($2, $2, $5, $4, null, null),
            ($3, $3, null, $4, $4, 'gone')`,
    [late!.id, failing!.id, disabled!.id, market.now(), new Date(market.now().getTime() + 60_000)],
  )
  market.advance(9000)

  await showBacklog(market.background)
  await showReceivers(market.background)

  assert.match(await shown(), /^legwork_webhook_late_seconds 9$/m)
  assert.match(await shown(), /^legwork_webhook_receivers\{state="failing"\} 1$/m)
  assert.match(await shown(), /^legwork_webhook_receivers\{state="disabled"\} 1$/m)
})

test('the age of the outbox grows while no relay runs, and is 0 again when the outbox is empty', async () => {
  const agent = await market.agent({ balanceCents: 500 })
  await agent.post('/tasks', { description: 'Look', budget_cents: 100 })
  const ages = []

  for (const ms of [4000, 7000]) {
    market.advance(ms)
    await showBacklog(market.background)
    ages.push((await market.server.metrics.outboxAge.get()).values[0]!.value)
  }
  await market.work()
  await showBacklog(market.background)
  const after = (await market.server.metrics.outboxAge.get()).values[0]!.value

  assert.deepEqual([...ages, after], [4, 11, 0])
})

test('work in the global outbox has an age too, and waits', async () => {
  const { global } = market.server.db.shards
  const now = market.now()
  await global.transaction((tx) =>
    requestWork(tx, [{ type: 'webhook.failing', id: 'agent_x' }], { now }),
  )
  market.advance(20 * 60_000)

  await showBacklog(market.background)
  const { out, isBad } = await ops(market, 'waiting')

  assert.match(await shown(), /^legwork_outbox_oldest_seconds 1200$/m)
  assert.match(out, /1 outbox rows/)
  assert(isBad)
  await market.asOwner('delete from outbox')
})

test('events and receivers of test mode are not late', async () => {
  const agent = await market.agent()
  await agent.test.post('/tasks', { description: 'Look', budget_cents: 100 })
  const [twin] = await market.asOwner(`select agent_id from outbox where agent_id is not null`)
  await market.asOwner('insert into webhook_lanes (id, agent_id, due_at) values ($1, $1, $2)', [
    twin!.agent_id,
    market.now(),
  ])
  await market.asOwner(`delete from webhook_lanes where agent_id <> $1`, [twin!.agent_id])
  market.advance(9000)

  await showBacklog(market.background)

  assert.match(await shown(), /^legwork_outbox_oldest_seconds 0$/m)
  assert.match(await shown(), /^legwork_webhook_late_seconds 0$/m)
})
