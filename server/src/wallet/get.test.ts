import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { idPattern, shardOf, siblingId } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { chargeback, type Entry } from '../ledger/movements.ts'

const market = await marketplace()
const paying = await marketplace({ processor: true })

interface Row {
  id: string
  type: string
  amount_cents: number
  balance_after_cents: number
  task_id: string | null
}

/** The money fields of each row, newest first, as in the response. */
const money = (rows: Row[]) =>
  rows.map((row) => [row.type, row.amount_cents, row.balance_after_cents])

/** Ids minted in the same millisecond are unordered, so give each movement its own millisecond. */
const soon = () => market.advance(1)

const post = (entry: Entry) =>
  market.server.db.shards
    .of(entry.shard)
    .transaction((tx) => postEntry(tx, entry, { now: market.now() }))

const chargeBack = (agentId: string, amountCents: number) =>
  post(
    chargeback({
      mode: 'live',
      shard: shardOf(agentId),
      agentId,
      balanceTransactionId: randomUUID(),
      amountCents,
      feeCents: 1500,
    }),
  )

describe('GET /wallet', () => {
  test('[4.3-wallet-200] 200: an empty wallet', async () => {
    const agent = await market.agent()

    const { status, body } = await agent.get('/wallet')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      balance_cents: 0,
      balance_formatted: '$0.00',
      free_tasks_remaining: 3,
      transactions: [],
      summary: [],
      next_cursor: null,
    })
  })

  test('a deposit adds, a task’s budget subtracts; each row has the balance after it', async () => {
    const agent = await market.agent({ balanceCents: 6234, freeTasks: false })
    const depositedAt = market.now().toISOString()
    soon()
    const { body: made } = await agent.post('/tasks', { description: 'Look', budget_cents: 5000 })

    const { body } = await agent.get('/wallet')

    assert.equal(body.balance_cents, 1234)
    assert.equal(body.balance_formatted, '$12.34')
    const [lock, deposit] = body.transactions
    assert.match(lock.id, idPattern('txn'))
    assert.deepEqual(lock, {
      id: lock.id,
      type: 'escrow_lock',
      amount_cents: -5000,
      balance_after_cents: 1234,
      task_id: made.task.id,
      status: 'posted',
      created_at: market.now().toISOString(),
      description: 'Budget held for a task',
    })
    assert.deepEqual(deposit, {
      id: deposit.id,
      type: 'deposit',
      amount_cents: 6234,
      balance_after_cents: 6234,
      task_id: null,
      status: 'posted',
      created_at: depositedAt,
      description: 'Deposit',
    })
    assert.deepEqual(body.summary, [
      { type: 'deposit', total_cents: 6234, count: 1 },
      { type: 'escrow_lock', total_cents: -5000, count: 1 },
    ])
  })

  test('a free task is shown as a gift of its budget and its use', async () => {
    const agent = await market.agent({ balanceCents: 100 })
    soon()
    const { body: made } = await agent.post('/tasks', { description: 'Look', budget_cents: 2000 })

    const { body } = await agent.get('/wallet')

    assert.equal(body.balance_cents, 100)
    assert.equal(body.free_tasks_remaining, 2)
    assert.deepEqual(money(body.transactions), [
      ['escrow_lock', -2000, 100],
      ['free_task_credit', 2000, 2100],
      ['deposit', 100, 100],
    ])
    const [lock, credit] = body.transactions
    assert.deepEqual([lock.task_id, credit.task_id], [made.task.id, made.task.id])
    assert.notEqual(lock.id, credit.id)
  })

  test('a canceled task’s budget is refunded', async () => {
    const agent = await market.agent({ balanceCents: 3000, freeTasks: false })
    soon()
    const { body: made } = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
    soon()
    await agent.post(`/tasks/${made.task.id}/cancel`)

    const { body } = await agent.get('/wallet')

    assert.equal(body.balance_cents, 3000)
    assert.deepEqual(money(body.transactions), [
      ['escrow_refund', 2500, 3000],
      ['escrow_lock', -2500, 500],
      ['deposit', 3000, 3000],
    ])
    assert.equal(body.transactions[0].task_id, made.task.id)
  })

  test('a canceled free task is returned, and the balance stays', async () => {
    const agent = await market.agent()
    const { body: made } = await agent.post('/tasks', { description: 'Look', budget_cents: 700 })
    soon()
    await agent.post(`/tasks/${made.task.id}/cancel`)

    const { body } = await agent.get('/wallet')

    assert.equal(body.balance_cents, 0)
    assert.equal(body.free_tasks_remaining, 3)
    assert.deepEqual(money(body.transactions), [
      ['free_task_return', -700, 0],
      ['escrow_refund', 700, 700],
      ['escrow_lock', -700, 0],
      ['free_task_credit', 700, 700],
    ])
  })

  test('[2.4-summary] the summary adds up all rows by type, and all types to the balance', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const budgets = [100, 200, 300, 400, 500, 2600]
    const made = []
    for (const budget_cents of budgets) {
      soon()
      made.push(await agent.post('/tasks', { description: 'Look', budget_cents }))
    }
    soon()
    await agent.post(`/tasks/${made[0]!.body.task.id}/cancel`)
    soon()
    await agent.post(`/tasks/${made[5]!.body.task.id}/cancel`)

    const { body } = await agent.get('/wallet?limit=1')

    assert.deepEqual(body.summary, [
      { type: 'deposit', total_cents: 10_000, count: 1 },
      { type: 'escrow_lock', total_cents: -4100, count: 6 },
      { type: 'escrow_refund', total_cents: 2700, count: 2 },
      { type: 'free_task_credit', total_cents: 600, count: 3 },
      { type: 'free_task_return', total_cents: -100, count: 1 },
    ])
    assert.equal(body.balance_cents, 10_000 - 400 - 500)
    const total = body.summary.reduce(
      (sum: number, row: { total_cents: number }) => sum + row.total_cents,
      0,
    )
    assert.equal(total, body.balance_cents)
  })

  test('a refused creation adds no row', async () => {
    const agent = await market.agent({ balanceCents: 100, freeTasks: false })

    const refused = await agent.post('/tasks', { description: 'Look', budget_cents: 101 })

    assert.equal(refused.status, 402)
    const { body } = await agent.get('/wallet')
    assert.equal(body.balance_cents, 100)
    assert.equal(body.transactions.length, 1)
  })

  describe('pages', () => {
    test('next_cursor leads through all rows, each once, in order', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      for (let i = 1; i <= 6; i += 1) {
        soon()
        await agent.post('/tasks', { description: 'Look', budget_cents: i * 10 })
      }
      const whole = await agent.get('/wallet')

      const rows: Row[] = []
      let pages = 0
      for (let cursor = ''; ; pages += 1) {
        const { body } = await agent.get(`/wallet?limit=2${cursor}`)
        assert(body.transactions.length <= 4, 'a movement is one row, or two for a free task')
        rows.push(...body.transactions)
        if (body.next_cursor === null) break
        cursor = `&cursor=${body.next_cursor}`
      }

      assert.equal(pages, 3)
      assert.deepEqual(rows, whole.body.transactions)
      assert.equal(rows.length, 1 + 3 * 2 + 3)
      assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length)
      for (const [i, { balance_after_cents, amount_cents }] of rows.entries())
        assert.equal(balance_after_cents - amount_cents, rows[i + 1]?.balance_after_cents ?? 0)
    })

    test('have 50 rows by default, and at most 100', async () => {
      const agent = await market.agent()
      for (let i = 0; i < 101; i += 1) {
        soon()
        await market.fund(agent.id, 1)
      }

      const [usual, largest] = [await agent.get('/wallet'), await agent.get('/wallet?limit=1000')]

      assert.equal(usual.body.transactions.length, 50)
      assert.equal(largest.body.transactions.length, 100)
      const rest = await agent.get(`/wallet?limit=100&cursor=${largest.body.next_cursor}`)
      assert.deepEqual(money(rest.body.transactions), [['deposit', 1, 1]])
      assert.equal(rest.body.next_cursor, null)
    })

    test('a cursor of another agent shows nothing of that agent', async () => {
      const [agent, other] = [await market.agent(), await market.agent({ balanceCents: 77 })]
      const { body: theirs } = await other.get('/wallet')

      const { body } = await agent.get('/wallet?cursor=1000')

      assert.equal(theirs.transactions.length, 1)
      assert.deepEqual(body.transactions, [])
    })

    for (const query of ['limit=0', 'limit=-1', 'limit=x', 'limit=1.5', 'cursor=x', 'cursor=%20'])
      test(`400 for ${query}`, async () => {
        const agent = await market.agent()

        const { status, body } = await agent.get(`/wallet?${query}`)

        assert.equal(status, 400)
        assert.equal(body.details[0].path, query.split('=')[0])
      })
  })

  describe('in test mode', () => {
    test('holds and spends test money', async () => {
      const agent = await market.agent()
      soon()
      await agent.test.post('/tasks', { description: 'Look', budget_cents: 2500 })

      const { body } = await agent.test.get('/wallet')

      assert.equal(body.balance_cents, 97_500)
      assert.deepEqual(money(body.transactions), [
        ['escrow_lock', -2500, 97_500],
        ['deposit', 100_000, 100_000],
      ])
    })

    test('and the live wallet are separate', async () => {
      const agent = await market.agent({ balanceCents: 5000 })
      soon()
      await agent.test.post('/tasks', { description: 'Free, in test mode', budget_cents: 100 })
      soon()
      await agent.post('/tasks', { description: 'Paid, live', budget_cents: 3000 })

      const [live, test] = [await agent.get('/wallet'), await agent.test.get('/wallet')]

      assert.equal(live.body.balance_cents, 2000)
      assert.equal(live.body.free_tasks_remaining, 3)
      assert.deepEqual(money(live.body.transactions), [
        ['escrow_lock', -3000, 2000],
        ['deposit', 5000, 5000],
      ])
      assert.equal(test.body.balance_cents, 100_000)
      assert.equal(test.body.free_tasks_remaining, 2)
      assert.deepEqual(money(test.body.transactions), [
        ['escrow_lock', -100, 100_000],
        ['free_task_credit', 100, 100_100],
        ['deposit', 100_000, 100_000],
      ])
    })

    test('test money does not pay for a live task', async () => {
      const agent = await market.agent({ freeTasks: false })

      const { status, body } = await agent.post('/tasks', { description: 'x', budget_cents: 1 })

      assert.equal(status, 402)
      assert.equal(body.balance_cents, 0)
      assert.equal((await agent.test.get('/wallet')).body.balance_cents, 100_000)
    })
  })

  describe('after a chargeback', () => {
    test('of spent money, the balance is negative and nothing can be bought', async () => {
      const agent = await market.agent({ balanceCents: 1000, freeTasks: false })
      soon()
      await agent.post('/tasks', { description: 'Look', budget_cents: 600 })
      soon()
      await chargeBack(agent.id, 1000)

      const { body } = await agent.get('/wallet')
      const refused = await agent.post('/tasks', { description: 'More', budget_cents: 1 })

      assert.equal(body.balance_cents, -600)
      assert.equal(body.balance_formatted, '-$6.00')
      assert.deepEqual(money(body.transactions), [
        ['chargeback', -600, -600],
        ['chargeback', -400, 0],
        ['escrow_lock', -600, 400],
        ['deposit', 1000, 1000],
      ])
      assert.deepEqual(body.summary.at(-1), { type: 'chargeback', total_cents: -1000, count: 2 })
      assert.equal(refused.status, 402)
      assert.equal(refused.body.balance_cents, -600)
    })

    test('a deposit repays the debt first', async () => {
      const agent = await market.agent({ balanceCents: 500, freeTasks: false })
      soon()
      await chargeBack(agent.id, 800)
      soon()
      await market.fund(agent.id, 1000)

      const { body } = await agent.get('/wallet')

      assert.equal(body.balance_cents, 700)
      assert.deepEqual(money(body.transactions).slice(0, 2), [
        ['deposit', 700, 700],
        ['deposit', 300, 0],
      ])
    })
  })

  describe('deposits', () => {
    const look = (rows: Record<string, unknown>[]) =>
      rows.map((row) => [row.id, row.status, row.amount_cents, row.balance_after_cents])

    async function begin(agent: Awaited<ReturnType<typeof paying.agent>>, amount_cents: number) {
      paying.advance(1000)
      const { body } = await agent.post('/wallet/deposit', { amount_cents })
      return body as { transaction_id: string; session_id: string }
    }

    test('that are unpaid are pending, sorted by time, and not in the summary', async () => {
      const agent = await paying.agent({ balanceCents: 100, freeTasks: false })
      const first = await begin(agent, 700)
      paying.advance(1000)
      await agent.post('/tasks', { description: 'Look', budget_cents: 40 })
      const second = await begin(agent, 900)

      const { body } = await agent.get('/wallet')

      const [newest, lock, oldest, funded] = body.transactions
      assert.deepEqual(newest, {
        id: second.transaction_id,
        type: 'deposit',
        amount_cents: 900,
        balance_after_cents: 60,
        task_id: null,
        status: 'pending',
        created_at: paying.now().toISOString(),
        description: 'Deposit, not paid yet',
      })
      assert.equal(lock.type, 'escrow_lock')
      assert.deepEqual(look([oldest]), [[first.transaction_id, 'pending', 700, 60]])
      assert.equal(funded.amount_cents, 100)
      assert.equal(body.balance_cents, 60)
      assert.deepEqual(body.summary, [
        { type: 'deposit', total_cents: 100, count: 1 },
        { type: 'escrow_lock', total_cents: -40, count: 1 },
      ])
    })

    test('that were paid keep the id that the agent was given', async () => {
      const agent = await paying.agent()
      const depositId = await paying.deposit(agent, 700)

      const { body } = await agent.get('/wallet')

      assert.deepEqual(look(body.transactions), [[depositId, 'posted', 700, 700]])
    })

    test('that repay a debt have two rows with separate ids', async () => {
      const agent = await paying.agent()
      await paying.at(agent.id).transaction((tx) =>
        postEntry(
          tx,
          chargeback({
            mode: 'live',
            shard: shardOf(agent.id),
            agentId: agent.id,
            balanceTransactionId: randomUUID(),
            amountCents: 300,
            feeCents: 0,
          }),
          { now: paying.now() },
        ),
      )
      paying.advance(1)
      const depositId = await paying.deposit(agent, 700)

      const { body } = await agent.get('/wallet')

      const [rest, repaid] = body.transactions
      assert.deepEqual(look([repaid]), [[depositId, 'posted', 300, 0]])
      assert.deepEqual(look([rest]), [[siblingId(depositId), 'posted', 400, 400]])
    })

    test('that failed are shown for a week', async () => {
      const agent = await paying.agent()
      const expired = await begin(agent, 700)
      const failed = await begin(agent, 800)
      await paying.sandbox.pay(failed.session_id, 'bank_debit')
      await paying.sandbox.control('POST', `sessions/${failed.session_id}/settle`, { ok: false })
      await paying.sandbox.control('POST', `sessions/${expired.session_id}/expire`)
      await paying.settle()

      const { body: now } = await agent.get('/wallet')
      paying.advance(7 * 86_400_000)
      const { body: later } = await agent.get('/wallet')

      assert.deepEqual(look(now.transactions), [
        [failed.transaction_id, 'failed', 800, 0],
        [expired.transaction_id, 'expired', 700, 0],
      ])
      assert.deepEqual(later.transactions, [])
    })

    test('that are unpaid appear only on the first page, and do not shift it', async () => {
      const agent = await paying.agent()
      for (let i = 0; i < 3; i += 1) {
        paying.advance(1)
        await paying.fund(agent.id, 10)
      }
      const { transaction_id } = await begin(agent, 700)

      const { body: first } = await agent.get('/wallet?limit=2')
      const { body: second } = await agent.get(`/wallet?limit=2&cursor=${first.next_cursor}`)

      assert.equal(first.transactions.length, 3)
      assert.equal(first.transactions[0].id, transaction_id)
      assert.deepEqual(money(second.transactions), [['deposit', 10, 10]])
      assert.equal(second.next_cursor, null)
    })

    test('of another agent are not shown', async () => {
      const [agent, other] = [await paying.agent(), await paying.agent()]
      await begin(other, 700)

      assert.deepEqual((await agent.get('/wallet')).body.transactions, [])
    })
  })

  test('401 without a key', async () => {
    const { status } = await market.call('GET', '/wallet')

    assert.equal(status, 401)
  })
})
