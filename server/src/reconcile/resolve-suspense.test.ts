import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Marketplace } from '../../test/harness.ts'
import {
  breaksOf,
  MINUTE,
  movements,
  openBooks,
  posted,
  reconcileAfter,
  strayPayment,
} from '../../test/money.ts'
import { giveToAgent, sendBack, takeAsOurs } from './resolve-suspense.ts'

const market = await openBooks()
await market.sandbox.control('POST', 'topups', { amount: 100_000 })
await market.settle()

/** A stray payment that has landed in suspense. */
async function suspended(amount: number): Promise<string> {
  const line = await strayPayment(market, amount)
  await market.settle()
  await reconcileAfter(market, 16 * MINUTE)
  assert.deepEqual(await breaksOf(market), [`suspense ${line.id} ${amount}`])
  return line.id as string
}

async function suspendedOdd(amount: number): Promise<string> {
  await market.sandbox.control('POST', 'odd', { amount, type: 'contribution' })
  const [line] = await movements(market)
  await reconcileAfter(market, 16 * MINUTE)
  return line!.id as string
}

const db = market.server.db.shards.global
const give = (transactionId: string, agentId: string) =>
  db.transaction((tx) => giveToAgent({ db, tx }, { transactionId, agentId, now: market.now() }))
const own = (transactionId: string) =>
  db.transaction((tx) => takeAsOurs({ db, tx }, { transactionId, now: market.now() }))

/** Asserts that nothing is left on either side. */
async function assertResolved(of: Marketplace = market): Promise<void> {
  const run = await reconcileAfter(of, MINUTE)
  assert.deepEqual(await breaksOf(of), [])
  assert.deepEqual(run.unexplained, [0, 0, 0])
  assert.equal(run.ledger_cents, run.processor_cents)
}

describe('money in suspense', () => {
  test('that belongs to an agent is credited to its wallet, once', async () => {
    const agent = await market.agent()
    const id = await suspended(5000)

    const cents = await give(id, agent.id)
    await assert.rejects(give(id, agent.id), /has no money in suspense/)

    assert.equal(cents, 5000)
    assert.equal(await market.balance(agent.id), 5000)
    await assertResolved()
  })

  test('is not credited to an unknown or a test agent', async () => {
    const agent = await market.agent()
    const [play] = await market.asOwner(`select id from agents where mode = 'test' limit 1`)
    const id = await suspended(600)

    await assert.rejects(give(id, 'agent_nobody'), /no agent/)
    await assert.rejects(give(id, play!.id as string), /no agent/)
    await give(id, agent.id)

    await assertResolved()
  })

  test('that is our own is booked to us, whether it came in or went out', async () => {
    const { own_funds_cents } = await reconcileAfter(market, MINUTE)
    const came = await suspendedOdd(700)
    const left = await suspendedOdd(-200)

    const cents = [await own(came), await own(left)]
    await assert.rejects(own(left), /has no money in suspense/)

    assert.deepEqual(cents, [700, -200])
    assert.deepEqual(await posted(market, `suspense:${left}:resolved`), [
      'suspense_to_operator: eq:operator_withdrawals > liab:suspense 200',
    ])
    await assertResolved()
    assert.equal((await reconcileAfter(market, MINUTE)).own_funds_cents, own_funds_cents + 500)
  })

  test('that went out cannot be credited to anybody', async () => {
    const agent = await market.agent()
    const id = await suspendedOdd(-90)

    await assert.rejects(give(id, agent.id), /has left/)
    await own(id)

    await assertResolved()
  })

  test('is refunded to its card, once, and the refund is matched', async () => {
    const id = await suspended(5000)

    const sent = await sendBack(market.background, { transactionId: id })
    await assert.rejects(
      sendBack(market.background, { transactionId: id }),
      /has no money in suspense/,
    )
    await market.settle()

    assert.deepEqual(sent, { outcome: 'sent', amountCents: 5000 })
    await assertResolved()
    const matches = await market.asOwner(
      'select balance_transaction_id as id from processor_matches where key = $1',
      [`suspense:${id}:resolved`],
    )
    const [line] = await movements(market)
    assert.deepEqual(matches, [{ id: line!.id }])
    assert.equal(line!.net, -5000)
  })

  test('is refunded once if the response is lost, and cannot be credited meanwhile', async () => {
    const agent = await market.agent()
    const id = await suspended(4000)
    const match = 'POST /v1/refunds'
    await market.sandbox.control('POST', 'faults', { match, mode: 'reset_after', times: 2 })

    const unknown = await sendBack(market.background, { transactionId: id })
    await assert.rejects(give(id, agent.id), /being sent back/)
    await market.sandbox.control('DELETE', 'faults')
    const sent = await sendBack(market.background, { transactionId: id })
    await market.settle()

    assert.equal(unknown.outcome, 'unknown')
    assert.equal(sent.outcome, 'sent')
    await assertResolved()
  })

  test('that the processor refuses to refund stays, with its message', async () => {
    const id = await suspended(800)
    const match = 'POST /v1/refunds'
    const fault = { match, mode: 'error_before', status: 400, code: 'charge_disputed' }
    await market.sandbox.control('POST', 'faults', fault)

    const refused = await sendBack(market.background, { transactionId: id })
    await own(id)

    assert.equal(refused.outcome, 'refused')
    await assertResolved()
  })

  test('that came without a card cannot be refunded', async () => {
    const id = await suspendedOdd(60)

    await assert.rejects(
      sendBack(market.background, { transactionId: id }),
      /is not a card payment/,
    )
    await own(id)

    await assertResolved()
  })

  test('returns to suspense if the card refuses the refund', async () => {
    const id = await suspended(900)
    await sendBack(market.background, { transactionId: id })
    const { data } = await market.sandbox.control('GET', 'objects/refund')
    await market.sandbox.control('POST', `refunds/${data[0].id}/fail`)
    await market.settle()

    await reconcileAfter(market, 16 * MINUTE)

    const [line] = await movements(market)
    assert.deepEqual(await breaksOf(market), [`suspense ${line!.id} 900`])
    await own(line!.id as string)
    await assertResolved()
  })
})
