/** Proves that the checks of this folder work: a naive implementation loses money or pays twice, and they detect it. */
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { shardOf } from '../../src/kit/ids.ts'
import { postEntry } from '../../src/ledger/journal.ts'
import { deposit, payoutPaid } from '../../src/ledger/movements.ts'
import { processorOf } from '../../src/processor/client.ts'
import { reconcile } from '../../src/reconcile/reconcile.ts'
import { type Json, type Marketplace, marketplace } from '../harness.ts'
import { differences } from './books.ts'

const settings = {
  LOG_LEVEL: 'silent',
  FREE_TASKS: 0,
  HOLD_HOURS: 0,
  HOLD_HOURS_NEW: 0,
  STRIPE_RETRIES: 0,
  STRIPE_TIMEOUT_MS: 200,
}

test('control: a complete story without faults has no differences', async () => {
  const market = await marketplace({ processor: true, settings })
  await earn(market)
  await market.settle()
  await reconcile(market.background)

  assert.deepEqual(await differences(market), [])
})

test('control: a sender that uses a new key after a lost response pays twice, and this is detected', async () => {
  const market = await marketplace({ processor: true, settings })
  await earn(market)
  await workWithout(market, 'payouts.send')
  const fault = { match: 'POST /v1/transfers', mode: 'reset_after', times: 2 }
  await market.sandbox.control('POST', 'faults', fault)

  const payout = await sendNaively(market)
  await reconcile(market.background)
  const found = await differences(market)

  assert(found.includes(`payout ${payout.id} is paid and has 2 transfers`), found.join('\n'))
})

test('control: a receiver that trusts a notification credits twice, and this is detected', async (t) => {
  const market = await marketplace({ processor: true, settings })
  const url = await receiveNaively(t, market)
  await market.sandbox.control('POST', 'endpoints', { kind: 'account', url, secret: 'whsec_any' })
  await market.sandbox.control('POST', 'deliveries/policy', { duplicate: 1 })
  const agent = await market.agent()
  const asked = await agent.post('/wallet/deposit', { amount_cents: 5000 })
  await market.sandbox.pay(asked.body.session_id)
  await market.sandbox.flush()

  await reconcile(market.background)
  const found = await differences(market)

  const wrong = /^deposit \w+: paid once, credited [23] times$/
  assert(
    found.some((line) => wrong.test(line)),
    found.join('\n'),
  )
})

test('control: an unpaid deposit is the whole difference of the books, to the cent', async () => {
  const market = await marketplace({ processor: true, settings })
  await earn(market)
  await market.settle()
  const before = await reconcile(market.background)
  const agent = await market.agent()
  await market.fund(agent.id, 1234)

  market.advance(60_000)
  const after = await reconcile(market.background)

  assert.equal(before.ledger_cents, before.processor_cents)
  assert.equal(unexplained(before), 0)
  assert.equal(after.ledger_cents - after.processor_cents, 1234)
  assert.equal(unexplained(after), 1234)
})

const unexplained = (run: Awaited<ReturnType<typeof reconcile>>) =>
  run.unexplained_new_cents + run.unexplained_hour_cents + run.unexplained_day_cents

/** A worker with an account has earned something that is about to be paid. */
async function earn(market: Marketplace): Promise<void> {
  const agent = await market.agent()
  await market.deposit(agent, 5000)
  const worker = await market.worker({ approvals: 100 })
  await market.onboard(worker)
  const created = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
  assert.equal(created.status, 201, created.text)
  const { id } = created.body.task
  for (const { status, text } of [
    await worker.post(`/worker/tasks/${id}/accept`),
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' }),
    await agent.post(`/tasks/${id}/approve`),
  ])
    assert(status < 300, text)
}

/** Runs all jobs except one. */
async function workWithout(market: Marketplace, name: string): Promise<void> {
  for (let events = await market.events(); events.length > 0; events = await market.events())
    for (const event of events)
      for (const job of market.jobs.filter(({ events: types }) => types?.includes(event.type)))
        if (job.name !== name)
          await job.run({ ...market.background, payload: job.payload.parse(event) })
}

/** The code of somebody who has never seen a response get lost. */
async function sendNaively(market: Marketplace): Promise<Json> {
  const [payout] = await market.asOwner(
    `select p.id, p.task_id, p.worker_id, p.amount_cents::integer, a.account_id
       from payouts p join payout_accounts a using (worker_id) where p.status = 'requested'`,
  )
  assert(payout, 'a payout was requested')
  const processor = processorOf(market.server.config)!
  for (let tries = 0; ; tries += 1) {
    assert(tries < 10, 'a process responds in the end')
    const outcome = await processor.createTransfer({
      payoutId: payout.id,
      taskId: payout.task_id,
      workerId: payout.worker_id,
      accountId: payout.account_id,
      amountCents: payout.amount_cents,
      key: randomUUID(),
    })
    if (outcome.kind !== 'ok') continue
    const of = { payoutId: payout.id, workerId: payout.worker_id }
    const book = { mode: 'live', shard: shardOf(payout.worker_id) } as const
    const movement = payoutPaid({ ...book, ...of, amountCents: payout.amount_cents })
    await market.db.transaction((tx) => postEntry(tx, movement, { now: market.now() }))
    await market.asOwner(`update payouts set status = 'submitting' where id = $1`, [payout.id])
    await market.asOwner(
      `update payouts set status = 'paid', paid_at = now(), transfer_id = $2, account_id = $3 where id = $1`,
      [payout.id, outcome.value.id, payout.account_id],
    )
    return payout
  }
}

/** The code of somebody who trusts every webhook. */
async function receiveNaively(
  t: { after(end: () => Promise<unknown>): void },
  market: Marketplace,
): Promise<string> {
  const server = createServer((request, response) => {
    void credit(request).then(() => response.end('{}'))
  })
  async function credit(request: AsyncIterable<Buffer>): Promise<void> {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk)
    const { type, data } = JSON.parse(Buffer.concat(chunks).toString()) as Json
    if (type !== 'checkout.session.completed') return
    const { metadata, amount_total: amountCents } = data.object
    const { deposit_id: depositId, agent_id: agentId } = metadata
    const book = { mode: 'live', shard: shardOf(agentId) } as const
    const movement = deposit({ ...book, depositId, agentId, amountCents })
    const asIfNew = { ...movement, key: `deposit:${depositId}:${randomUUID()}` }
    await market.db.transaction((tx) => postEntry(tx, asIfNew, { now: market.now() }))
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(async () => {
    server.close()
    server.closeAllConnections()
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/`
}
