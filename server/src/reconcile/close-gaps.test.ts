import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { DAY, openBooks } from '../../test/money.ts'
import { processorOf } from '../processor/client.ts'
import { closeGaps, fetchUndelivered } from './close-gaps.ts'

const market = await openBooks()
const run = () => closeGaps.run({ ...market.background, payload: {} })

async function paidInSilence(amountCents: number) {
  const agent = await market.agent()
  const { body } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  await market.sandbox.pay(body.session_id as string)
  return agent
}

const listed = () =>
  market.asOwner(`select event_id, type from processor_events where source = 'list'`)

describe('undelivered notifications', () => {
  test('are fetched and handled like delivered ones', async () => {
    const agent = await paidInSilence(5000)

    await run()
    await market.work()

    const types = (await listed()).map(({ type }) => type as string)
    assert(types.includes('checkout.session.completed'))
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('are stored once, even if they are delivered later', async () => {
    const before = await market.asOwner('select event_id from processor_events')

    const again = await fetchUndelivered(market.background, processorOf(market.server.config)!)
    await market.sandbox.control('POST', 'deliveries/release', {})
    await market.sandbox.control('POST', 'deliveries', { mode: 'normal' })
    await market.settle()

    assert.equal(again, 0)
    assert.deepEqual(await market.asOwner('select event_id from processor_events'), before)
  })

  test('older than three days are left to reconciliation', async () => {
    await paidInSilence(700)
    market.advance(3 * DAY + 1000)
    const before = (await listed()).length

    await run()

    assert.equal((await listed()).length, before)
  })

  test('wait for the next hour if the processor is down', async () => {
    await paidInSilence(800)
    const before = (await listed()).length
    await market.sandbox.control('POST', 'faults', { match: 'GET /v1/events', mode: 'html502' })

    await run()
    const silent = (await listed()).length
    await run()

    assert.equal(silent, before)
    assert((await listed()).length > before)
  })
})
