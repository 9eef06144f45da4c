import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, type TestWorker } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import { processorOf } from '../processor/client.ts'
import { reconcile } from '../reconcile/reconcile.ts'

const MINUTE_MS = 60_000
const market = await marketplace({
  processor: true,
  mail: true,
  settings: { HOLD_HOURS: 0, HOLD_HOURS_NEW: 0, FREE_TASKS: 0 },
})
const processor = processorOf(market.server.config)!
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
await market.settle()

type Agent = Awaited<ReturnType<typeof market.agent>>

/** Half an hour passes, and only the processor remembers what is done at its end. */
function loseTime(): Date {
  market.advance(30 * MINUTE_MS)
  const restoredTo = market.now()
  market.advance(30 * MINUTE_MS)
  return restoredTo
}

async function declare(restoredTo: Date): Promise<void> {
  market.advance(1000)
  await ops(market, 'restore', 'declare', restoredTo.toISOString())
}

/** A payment page that was made and paid before the restore, for a deposit that the database does not have. */
async function payLost(agent: Agent, amountCents: number): Promise<string> {
  const depositId = mintId('txn', market.now(), shardOf(agent.id))
  const made = await processor.createCheckout({
    depositId,
    agentId: agent.id,
    email: agent.email,
    amountCents,
    expiresAt: new Date(market.now().getTime() + 60 * MINUTE_MS),
    successUrl: 'http://127.0.0.1/paid',
    cancelUrl: 'http://127.0.0.1/cancelled',
  })
  assert.equal(made.kind, 'ok')
  await market.sandbox.pay(made.kind === 'ok' ? made.value.id : '')
  return depositId
}

async function people() {
  const agent = await market.agent({ freeTasks: false })
  await market.deposit(agent, 5000)
  const worker = await market.worker()
  const accountId = await market.onboard(worker)
  return { agent, worker, accountId }
}

async function prove(agent: Agent, worker: TestWorker): Promise<string> {
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 1000 })
  const id = body.task.id as string
  await worker.post(`/worker/tasks/${id}/accept`)
  await worker.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
  return id
}

/** A transfer that was made before the restore. */
async function payOutLost(of: {
  taskId: string
  worker: TestWorker
  accountId: string
  payoutId?: string
}): Promise<{ payoutId: string; transferId: string }> {
  const { taskId, worker, accountId } = of
  const payoutId = of.payoutId ?? mintId('po', market.now(), shardOf(worker.id))
  const sent = await processor.createTransfer({
    payoutId,
    taskId,
    workerId: worker.id,
    accountId,
    amountCents: 820,
    key: `payout_${payoutId}_a1`,
  })
  assert.equal(sent.kind, 'ok')
  return { payoutId, transferId: sent.kind === 'ok' ? sent.value.id : '' }
}

const payoutsOf = (taskId: string) =>
  market.asOwner('select id, status::text, transfer_id from payouts where task_id = $1', [taskId])

async function transferCount(taskId: string): Promise<number> {
  const { objects } = await market.sandbox.state()
  const made = objects.transfer as { transfer_group: string }[]
  return made.filter(({ transfer_group }) => transfer_group === taskId).length
}

describe('after a restore from a backup', () => {
  test('a deposit of lost time is credited, and without the declaration it is not', async () => {
    const { agent } = await people()
    const restoredTo = loseTime()
    await payLost(agent, 700)

    await reconcile(market.background)
    const before = await market.balance(agent.id)
    await declare(restoredTo)
    const { out, isBad } = await ops(market, 'restore', 'check')
    const after = await market.balance(agent.id)
    await ops(market, 'restore', 'open')

    assert.deepEqual([before, after, isBad], [5000, 5700, false])
    assert.match(out, /booked again {3}deposit/)
  })

  test('the deposit of an agent that was lost, too, is in suspense', async () => {
    const { agent } = await people()
    const restoredTo = loseTime()
    const lost = { ...agent, id: mintId('agent', market.now(), 7) }
    await payLost(lost, 700)

    await declare(restoredTo)
    const { out, isBad } = await ops(market, 'restore', 'check')
    const [line] = await market.asOwner(
      `select id from balance_transactions where type = 'charge' order by created_at desc, id desc limit 1`,
    )
    await ops(market, 'suspense', line!.id as string, 'back')
    await ops(market, 'restore', 'open')

    assert.equal(isBad, false)
    assert.match(out, /in suspense {4}\S+ \$[\d.]+ \(charge/)
  })

  test('a held payout that the processor has paid becomes paid, and is not sent', async () => {
    const { agent, worker, accountId } = await people()
    const taskId = await prove(agent, worker)
    await ops(market, 'switch', 'payouts', 'off', 'a test')
    await agent.post(`/tasks/${taskId}/approve`)
    await market.settle()
    const [held] = await payoutsOf(taskId)
    const restoredTo = loseTime()
    const lost = await payOutLost({ taskId, worker, accountId, payoutId: held!.id as string })

    await declare(restoredTo)
    await ops(market, 'restore', 'check')
    const paid = await payoutsOf(taskId)
    await ops(market, 'restore', 'open')
    await ops(market, 'switch', 'payouts', 'on')
    market.advance(60 * MINUTE_MS)
    await market.settle()

    assert.equal(held!.status, 'held')
    assert.deepEqual(paid, [{ id: held!.id, status: 'paid', transfer_id: lost.transferId }])
    assert.equal(await transferCount(taskId), 1)
  })

  test('a payout that was not opened yet is recorded under the id that the processor knows', async () => {
    const { agent, worker, accountId } = await people()
    const taskId = await prove(agent, worker)
    await agent.post(`/tasks/${taskId}/approve`)
    const restoredTo = loseTime()
    const lost = await payOutLost({ taskId, worker, accountId })

    await declare(restoredTo)
    await ops(market, 'restore', 'check')
    await ops(market, 'restore', 'open')
    await market.settle()

    assert.deepEqual(await payoutsOf(taskId), [
      { id: lost.payoutId, status: 'paid', transfer_id: lost.transferId },
    ])
    assert.equal(await transferCount(taskId), 1)
  })

  for (const decision of ['none', 'ours'])
    test(`a task that is approved again is paid by the lost transfer (decided before: ${decision})`, async () => {
      const { agent, worker, accountId } = await people()
      const taskId = await prove(agent, worker)
      const restoredTo = loseTime()
      const lost = await payOutLost({ taskId, worker, accountId })
      await declare(restoredTo)
      await ops(market, 'restore', 'check')
      const [line] = await market.asOwner(
        'select id from balance_transactions where source_id = $1',
        [lost.transferId],
      )
      if (decision === 'ours') await ops(market, 'suspense', line!.id as string, 'ours')
      await ops(market, 'restore', 'open')

      await agent.post(`/tasks/${taskId}/approve`)
      await market.settle()
      await reconcile(market.background)
      const { processor_cents, ledger_cents } = await reconcile(market.background)

      const [payout] = await payoutsOf(taskId)
      assert.deepEqual([payout!.status, payout!.transfer_id], ['paid', lost.transferId])
      assert.equal(await transferCount(taskId), 1)
      assert.equal(processor_cents, ledger_cents)
      assert.deepEqual(await market.audit(), [])
    })

  test('a payout is not sent if the lost transfer had another amount', async () => {
    const { agent, worker, accountId } = await people()
    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 2000 })
    const taskId = body.task.id as string
    await worker.post(`/worker/tasks/${taskId}/accept`)
    await worker.post(`/worker/tasks/${taskId}/proof`, { text: 'Done' })
    const restoredTo = loseTime()
    await payOutLost({ taskId, worker, accountId })
    await declare(restoredTo)
    await ops(market, 'restore', 'open')

    await agent.post(`/tasks/${taskId}/approve`)
    await market.settle()

    const [payout] = await payoutsOf(taskId)
    assert.equal(payout!.status, 'submitting')
    assert.equal(await transferCount(taskId), 1)
  })

  test('payouts, refunds and withdrawals can’t be turned on before the restore is opened', async () => {
    await declare(loseTime())
    const turning = ops(market, 'switch', 'payouts', 'on')
    await assert.rejects(turning, /payouts stay off until `ops restore open`/)
    const { isBad } = await ops(market, 'restore', 'open')
    const switches = await market.asOwner(
      `select name from platform_switches where not is_on and name <> 'read_only'`,
    )

    assert.equal(isBad, false)
    assert.deepEqual(switches, [])
  })

  test('a switch stays off that an operator turned off before the restore or during it', async () => {
    await ops(market, 'switch', 'refunds', 'off', 'a test')
    await declare(loseTime())
    await ops(market, 'switch', 'withdrawals', 'off', 'another test')
    const opened = await ops(market, 'restore', 'open')
    const off = await market.asOwner(
      `select distinct name, reason from platform_switches where not is_on and name <> 'read_only' order by name`,
    )
    await ops(market, 'switch', 'refunds', 'on')
    await ops(market, 'switch', 'withdrawals', 'on')

    assert.deepEqual(off, [
      { name: 'refunds', reason: 'a test' },
      { name: 'withdrawals', reason: 'another test' },
    ])
    assert.match(opened.out, /On again: payouts\. Still off: refunds, withdrawals/)
  })

  test('a switch that reconciliation turned off is on again, if its reason has ended', async () => {
    await market.asOwner(
      `update platform_switches set is_on = false, reason = 'short of money' where name = 'payouts'`,
    )
    await declare(loseTime())
    await ops(market, 'restore', 'open')

    assert.deepEqual(
      await market.asOwner(`select from platform_switches where not is_on and name <> 'read_only'`),
      [],
    )
  })

  test('an account that was closed in lost time is closed and erased again, without a second mail', async () => {
    const { worker } = await people()
    const suspended = await market.worker()
    await ops(market, 'worker', 'suspend', suspended.id, 'a test')
    const rowOf = async (id: string) => {
      const found = 'select name, email, status::text from workers where id = $1'
      return (await market.asOwner(found, [id]))[0]
    }
    const erased = (id: string) => ({
      name: 'Former worker',
      email: `${id}@closed.invalid`,
      status: 'closed',
    })
    const before = await rowOf(worker.id)
    const lost = mintId('worker', market.now(), 7)

    const early = await ops(market, 'restore', 'erase', worker.id)
    const untouched = await rowOf(worker.id)
    await declare(loseTime())
    const first = await ops(market, 'restore', 'erase', worker.id, suspended.id, lost)
    const again = await ops(market, 'restore', 'erase', worker.id)
    await ops(market, 'restore', 'open')
    market.advance(60 * MINUTE_MS)
    await market.settle()

    assert.equal(early.isBad, true)
    assert.match(early.out, /No restore is open/)
    assert.deepEqual(untouched, before)
    assert.deepEqual(await rowOf(worker.id), erased(worker.id))
    assert.deepEqual(await rowOf(suspended.id), erased(suspended.id))
    assert.deepEqual(
      first.out.split('\n').map((line) => line.replace(/^\S+ +/, '').slice(0, 12)),
      ['closed again', 'closed again', 'is not in th'],
    )
    assert.match(again.out, /is closed already/)
    assert.equal((await worker.get('/worker/profile')).status, 401)
    assert.deepEqual(market.inbox.unreadTo(worker.email), [])
    assert.deepEqual(await market.audit(), [])
  })

  test('a cursor of lost time continues before it, and a task’s sequence skips numbers', async () => {
    const { agent, worker } = await people()
    const taskId = await prove(agent, worker)
    await market.settle()
    const before = (await agent.get('/events')).body.events as { id: string; sequence: number }[]
    const restoredTo = loseTime()
    const cursor = mintId('evt', market.now(), shardOf(agent.id))
    const refused = await agent.get(`/events?after=${cursor}`)

    await declare(restoredTo)
    await ops(market, 'restore', 'open')
    await agent.post(`/tasks/${taskId}/approve`)
    await market.settle()
    const { body } = await agent.get(`/events?after=${cursor}`)

    const sequences = before.map(({ sequence }) => sequence).filter((one) => one !== null)
    const [next] = body.events as { sequence: number }[]
    assert.equal(refused.status, 400)
    assert(next!.sequence > Math.max(...sequences) + 900, JSON.stringify(body.events))
  })

  test('a command without a restore, or with a time that could be of any zone, is refused', async () => {
    const checked = await ops(market, 'restore', 'check')
    const opened = await ops(market, 'restore', 'open')
    const future = new Date(market.now().getTime() + MINUTE_MS).toISOString()

    assert.deepEqual([checked.isBad, opened.isBad], [true, true])
    assert.equal((await ops(market, 'restore', 'declare', future)).isBad, true)
    await assert.rejects(ops(market, 'restore', 'declare', '2026-01-31 12:00'), /must look like/)
    await assert.rejects(ops(market, 'restore', 'declare'), /does not name the time/)
  })
})
