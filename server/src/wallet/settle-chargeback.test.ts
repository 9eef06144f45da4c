import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { depositRow } from '../../test/money.ts'
import { restrictAgent } from '../agents/restrict.ts'
import { shardOf } from '../kit/ids.ts'
import { postEntry } from '../ledger/journal.ts'
import { refundOutside, suspenseToAgent } from '../ledger/movements.ts'
import type { BalanceTransaction, CardDispute } from '../processor/client-objects.ts'
import {
  heedFraudWarning,
  lookAtChargeback,
  recordChargeback,
  settleChargeback,
} from './settle-chargeback.ts'
import { settleDeposit } from './settle-deposit.ts'

const market = await marketplace({
  processor: true,
  settings: { STRIPE_RETRIES: 0, LOG_LEVEL: 'silent' },
})
const DAY = 86_400_000
const TASK = { description: 'Look', budget_cents: 2500 }

type Agent = Awaited<ReturnType<typeof market.agent>>

/** A paid deposit and its charge; the processor sends no notifications. */
async function paid(agent: Agent, amountCents = 2500) {
  await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
  const { body } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  await market.sandbox.pay(body.session_id)
  await settleDeposit(market.background, body.transaction_id)
  const { charge_id } = await depositRow(market, body.transaction_id)
  return { depositId: body.transaction_id as string, chargeId: charge_id! }
}

const chargebackRow = (disputeId: string) =>
  market.db.reader
    .selectFrom('chargebacks')
    .selectAll()
    .where('id', '=', disputeId)
    .executeTakeFirst()

async function statusOf(agent: Agent) {
  const { status } = await market.db.reader
    .selectFrom('agents')
    .select('status')
    .where('id', '=', agent.id)
    .executeTakeFirstOrThrow()
  return status
}

async function dispute(chargeId: string, body: Record<string, unknown> = {}): Promise<string> {
  const { id } = await market.sandbox.control('POST', `charges/${chargeId}/dispute`, body)
  return id as string
}

const close = (disputeId: string, status: 'won' | 'lost' | 'warning_closed') =>
  market.sandbox.control('POST', `disputes/${disputeId}/close`, { status })

const look = (disputeId: string) => settleChargeback(market.background, disputeId)

/** The ledger lines that chargebacks caused for an agent's money and our fees. */
async function linesOf(agent: Agent) {
  const lines = await market.db.reader
    .selectFrom('transfers')
    .select(['kind', 'debit', 'credit', 'amount_cents'])
    .where('key', 'in', (transfers) =>
      transfers
        .selectFrom('transfers')
        .select('key')
        .where('agent_id', '=', agent.id)
        .where('kind', 'in', ['chargeback', 'chargeback_reversal']),
    )
    .orderBy('kind')
    .orderBy('line')
    .execute()
  return lines.map(({ kind, debit, credit, amount_cents }) => [kind, debit, credit, amount_cents])
}

const TAKEN = [
  ['chargeback', 'liab:agent_wallet', 'asset:processor_balance', 2500],
  ['chargeback', 'exp:dispute_fees', 'asset:processor_balance', 1500],
]

describe('a chargeback', () => {
  test('debits the wallet, charges us the fee, and restricts the agent', async () => {
    const agent = await market.agent()
    const { depositId, chargeId } = await paid(agent)
    const id = await dispute(chargeId, { reason: 'fraudulent' })

    assert.equal(await look(id), 'done')

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await linesOf(agent), TAKEN)
    assert.equal((await depositRow(market, depositId)).status, 'disputed')
    const row = await chargebackRow(id)
    assert.deepEqual(
      [row!.deposit_id, row!.agent_id, row!.amount_cents, row!.reason, row!.status],
      [depositId, agent.id, 2500, 'fraudulent', 'needs_response'],
    )
    assert.deepEqual(row!.check_at, new Date(market.now().getTime() + DAY))
    assert.equal(await statusOf(agent), 'restricted')
    const refused = await agent.post('/tasks', TASK)
    assert.deepEqual([refused.status, refused.body.code], [403, 'agent_restricted'])
  })

  test('of spent money creates a debt: the balance is negative, and a deposit repays it', async () => {
    const agent = await market.agent({ freeTasks: false })
    const { chargeId } = await paid(agent)
    const task = await market.taskIn(agent, 'in_progress')
    await look(await dispute(chargeId))
    await market.work()

    assert.equal(await market.balance(agent.id), -2500)
    assert.deepEqual(await linesOf(agent), [
      ['chargeback', 'asset:agent_receivable', 'asset:processor_balance', 2500],
      ['chargeback', 'exp:dispute_fees', 'asset:processor_balance', 1500],
    ])
    assert.equal((await agent.get(`/tasks/${task.id}`)).body.task.status, 'in_progress')
    await paid(agent, 3000)
    assert.equal(await market.balance(agent.id), 500)
    assert.equal(await statusOf(agent), 'restricted')
  })

  test('of a part debits that part', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)

    await look(await dispute(chargeId, { amount: 700 }))

    assert.equal(await market.balance(agent.id), 1800)
  })

  test('that is won returns the money and ends the restriction', async () => {
    const agent = await market.agent()
    const { depositId, chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'won')

    await look(id)

    assert.equal(await market.balance(agent.id), 2500)
    assert.deepEqual(await linesOf(agent), [
      ...TAKEN,
      ['chargeback_reversal', 'asset:processor_balance', 'liab:agent_wallet', 2500],
    ])
    assert.equal((await depositRow(market, depositId)).status, 'dispute_won')
    assert.equal((await chargebackRow(id))!.check_at, null)
    assert.equal(await statusOf(agent), 'active')
    assert.equal((await agent.post('/tasks', TASK)).status, 201)
  })

  test('that is lost debits nothing more, and the agent stays restricted', async () => {
    const agent = await market.agent()
    const { depositId, chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'lost')

    await look(id)

    assert.deepEqual(await linesOf(agent), TAKEN)
    assert.equal((await depositRow(market, depositId)).status, 'dispute_lost')
    assert.equal((await chargebackRow(id))!.check_at, null)
    assert.equal(await statusOf(agent), 'restricted')
  })

  test('that is only an inquiry moves no money and restricts nobody', async () => {
    const agent = await market.agent()
    const { depositId, chargeId } = await paid(agent)
    const id = await dispute(chargeId, { inquiry: true })

    await look(id)
    const asked = await chargebackRow(id)
    await close(id, 'warning_closed')
    await look(id)

    assert.equal(asked!.status, 'warning_needs_response')
    assert.notEqual(asked!.check_at, null)
    assert.equal((await chargebackRow(id))!.check_at, null)
    assert.equal(await market.balance(agent.id), 2500)
    assert.equal((await depositRow(market, depositId)).status, 'succeeded')
    assert.equal(await statusOf(agent), 'active')
  })

  test('of spent money that is won repays its debt, also if both are seen at once', async () => {
    const agent = await market.agent({ freeTasks: false })
    const { chargeId } = await paid(agent)
    await market.taskIn(agent, 'in_progress')
    const id = await dispute(chargeId)
    await close(id, 'won')

    await look(id)

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await linesOf(agent), [
      ['chargeback', 'asset:agent_receivable', 'asset:processor_balance', 2500],
      ['chargeback', 'exp:dispute_fees', 'asset:processor_balance', 1500],
      ['chargeback_reversal', 'asset:processor_balance', 'asset:agent_receivable', 2500],
    ])
  })

  test('that was decided before we looked gives the same books', async () => {
    const [agent, other] = [await market.agent(), await market.agent()]
    const [mine, theirs] = [await paid(agent), await paid(other)]
    const [won, lost] = [await dispute(mine.chargeId), await dispute(theirs.chargeId)]
    await close(won, 'won')
    await close(lost, 'lost')

    await look(won)
    await look(lost)

    assert.equal(await market.balance(agent.id), 2500)
    assert.equal((await linesOf(agent)).length, 3)
    assert.equal(await statusOf(agent), 'active')
    assert.deepEqual(await linesOf(other), TAKEN)
    assert.equal(await statusOf(other), 'restricted')
  })

  test('is booked once in eight concurrent checks, and tasks are withdrawn once', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await market.events()

    await Promise.all(Array.from({ length: 8 }, () => look(id)))
    await look(id)

    assert.deepEqual(await linesOf(agent), TAKEN)
    const asked = (await market.events()).filter(({ type }) => type === 'agent.restricted')
    assert.deepEqual(
      asked.map(({ data }) => data),
      [{ id: agent.id }],
    )
  })

  test('before we knew of the payment books the payment first', async () => {
    const agent = await market.agent()
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
    await market.sandbox.pay(body.session_id, '4000000000000259')
    const { data } = await market.sandbox.control('GET', 'objects/dispute?limit=1')

    await look(data[0].id)

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await linesOf(agent), TAKEN)
    assert.equal((await depositRow(market, body.transaction_id)).status, 'disputed')
  })

  test('is tracked to its end by the timer alone', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'won')

    market.advance(DAY + 1000)
    await market.sweep()
    await market.work()

    assert.equal((await chargebackRow(id))!.status, 'won')
    assert.equal(await market.balance(agent.id), 2500)
  })

  test('notified in any order, and repeatedly, gives the same books', async () => {
    const books: unknown[] = []
    for (const order of ['fifo', 'lifo', 'shuffle', 'shuffle']) {
      const agent = await market.agent()
      const { depositId, chargeId } = await paid(agent)
      const id = await dispute(chargeId)
      await close(id, 'won')

      const seed = books.length
      await market.sandbox.control('POST', 'deliveries/release', { order, times: 2, seed })
      await market.work()
      await market.work()

      const { status } = await depositRow(market, depositId)
      books.push([await linesOf(agent), status, await statusOf(agent)])
    }

    assert.deepEqual(books, [books[0], books[0], books[0], books[0]])
    assert.equal((books[0] as unknown[][])[0]!.length, 3)
  })
})

describe('an agent', () => {
  test('with two chargebacks is free when both are won', async () => {
    const agent = await market.agent()
    const [one, two] = [await paid(agent), await paid(agent)]
    const [first, second] = [await dispute(one.chargeId), await dispute(two.chargeId)]
    await look(first)
    await look(second)
    await close(first, 'won')
    await look(first)
    const between = await statusOf(agent)

    await close(second, 'won')
    await look(second)

    assert.equal(between, 'restricted')
    assert.equal(await statusOf(agent), 'active')
    assert.equal(await market.balance(agent.id), 5000)
  })

  test('with one won and one lost stays restricted', async () => {
    const agent = await market.agent()
    const [one, two] = [await paid(agent), await paid(agent)]
    const [lost, won] = [await dispute(one.chargeId), await dispute(two.chargeId)]
    await close(lost, 'lost')
    await close(won, 'won')

    await look(lost)
    await look(won)
    await paid(agent, 1000)

    assert.equal(await statusOf(agent), 'restricted')
  })

  test('with a debt is free when a deposit has repaid it', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    const book = { mode: 'live' as const, shard: shardOf(agent.id), agentId: agent.id }
    await market
      .at(agent.id)
      .transaction((tx) =>
        postEntry(
          tx,
          refundOutside({ ...book, balanceTransactionId: `txn_${agent.id}`, amountCents: 3000 }),
          { now: market.now() },
        ),
      )
    await close(id, 'won')
    await look(id)
    const owing = [await market.balance(agent.id), await statusOf(agent)]

    await paid(agent, 1000)

    assert.deepEqual(owing, [-500, 'restricted'])
    assert.equal(await market.balance(agent.id), 500)
    assert.equal(await statusOf(agent), 'active')
  })

  test('restricted by an operator is not freed by a won chargeback', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await market
      .at(agent.id)
      .transaction((tx) =>
        restrictAgent(tx, { agentId: agent.id, why: 'operator', now: market.now() }),
      )
    await close(id, 'won')

    await look(id)

    assert.equal(await statusOf(agent), 'restricted')
  })

  test('freed by an operator is not restricted again by an old notification', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'lost')
    await look(id)
    await market.asOwner(
      `update agents set status = 'active', restricted_for = null where id = $1`,
      [agent.id],
    )

    await look(id)

    assert.equal(await statusOf(agent), 'active')
  })

  test('with a fraud warning is restricted until an operator has looked', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)

    assert.equal(await heedFraudWarning(market.background, chargeId), 'done')
    assert.equal(await heedFraudWarning(market.background, 'ch_nobody'), 'unknown')

    assert.equal(await statusOf(agent), 'restricted')
    assert.equal(await market.balance(agent.id), 2500)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'won')
    await look(id)
    assert.equal(await statusOf(agent), 'restricted')
  })
})

describe('a chargeback of money in suspense', () => {
  async function mismatched(agent: Agent) {
    await market.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
    await market.asOwner(`update deposits set amount_cents = 9999 where id = $1`, [
      body.transaction_id,
    ])
    await market.sandbox.pay(body.session_id)
    await settleDeposit(market.background, body.transaction_id)
    return depositRow(market, body.transaction_id)
  }

  test('is not debited from the agent, but left to reconciliation', async () => {
    const agent = await market.agent()
    const deposit = await mismatched(agent)
    const id = await dispute(deposit.charge_id!)

    assert.equal(await look(id), 'unknown')

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await linesOf(agent), [])
    assert.equal((await depositRow(market, deposit.id)).status, 'disputed')
    await close(id, 'lost')
    await look(id)
    assert.equal((await depositRow(market, deposit.id)).status, 'dispute_lost')
  })

  test('is debited from the agent to whom an operator had credited it', async () => {
    const agent = await market.agent()
    const deposit = await mismatched(agent)
    const balanceTransactionId = deposit.balance_transaction_id!
    await market.at(agent.id).transaction((tx) =>
      postEntry(
        tx,
        suspenseToAgent({
          mode: 'live',
          shard: shardOf(agent.id),
          agentId: agent.id,
          balanceTransactionId,
          amountCents: 2500,
        }),
        { now: market.now() },
      ),
    )

    assert.equal(await look(await dispute(deposit.charge_id!)), 'done')

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(await linesOf(agent), TAKEN)
  })

  test('that is not ours is unknown', async () => {
    assert.equal(await look('dp_nobody'), 'unknown')
  })
})

describe('the processor’s transactions of a chargeback', () => {
  const movement = (id: string, amountCents: number, feeCents: number): BalanceTransaction => ({
    id,
    type: 'adjustment',
    reportingCategory: amountCents > 0 ? 'dispute_reversal' : 'dispute',
    amountCents,
    feeCents,
    netCents: amountCents - feeCents,
    currency: 'usd',
    sourceId: 'dp_1',
    status: 'available',
    balanceType: 'payments',
    description: undefined,
    createdAt: market.now(),
    availableAt: market.now(),
  })

  test('may be a fee alone, and a returned fee, in any order', async () => {
    const agent = await market.agent({ freeTasks: false })
    const { depositId, chargeId } = await paid(agent)
    await market.taskIn(agent, 'in_progress')
    const complaint: CardDispute = {
      id: `dp_${depositId}`,
      chargeId,
      paymentIntentId: undefined,
      amountCents: 2500,
      currency: 'usd',
      reason: 'general',
      status: 'won',
      dueBy: undefined,
      balanceTransactions: [
        movement(`back_${depositId}`, 2500, -1500),
        movement(`taken_${depositId}`, -2500, 1500),
        movement(`answered_${depositId}`, 0, 1500),
      ],
      createdAt: market.now(),
    }

    for (let times = 0; times < 2; times += 1)
      await market
        .at(depositId)
        .transaction((tx) =>
          recordChargeback(tx, { depositId, dispute: complaint, now: market.now() }),
        )

    assert.equal(await market.balance(agent.id), 0)
    assert.deepEqual(
      (await linesOf(agent)).map(([, debit, credit]) => [debit, credit]),
      [
        ['asset:agent_receivable', 'asset:processor_balance'],
        ['exp:dispute_fees', 'asset:processor_balance'],
        ['asset:processor_balance', 'asset:agent_receivable'],
        ['asset:processor_balance', 'exp:dispute_fees'],
      ],
    )
    const fees = await market.db.reader
      .selectFrom('transfers')
      .select(['debit', 'credit', 'amount_cents'])
      .where('ref_id', 'like', `%_${depositId}`)
      .where((line) =>
        line.or([line('debit', '=', 'exp:dispute_fees'), line('credit', '=', 'exp:dispute_fees')]),
      )
      .orderBy('debit')
      .execute()
    assert.deepEqual(
      fees.map(({ debit, credit, amount_cents }) => [debit, credit, amount_cents]),
      [
        ['asset:processor_balance', 'exp:dispute_fees', 1500],
        ['exp:dispute_fees', 'asset:processor_balance', 1500],
        ['exp:dispute_fees', 'asset:processor_balance', 1500],
      ],
    )
  })
})

describe('an unreachable processor', () => {
  const fault = () =>
    market.sandbox.control('POST', 'faults', { match: 'GET /v1/disputes', mode: 'error_before' })
  const run = (id: string) =>
    lookAtChargeback.run({ ...market.background, payload: { data: { id } } })

  test('leaves an unknown chargeback to its job', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await fault()

    await assert.rejects(run(id), /could not check/)
    await run(id)

    assert.deepEqual(await linesOf(agent), TAKEN)
  })

  test('leaves a known one to the timer', async () => {
    const agent = await market.agent()
    const { chargeId } = await paid(agent)
    const id = await dispute(chargeId)
    await look(id)
    await close(id, 'won')
    await fault()

    await run(id)
    market.advance(11 * 60_000)
    await market.sweep()
    await market.work()

    assert.equal(await market.balance(agent.id), 2500)
  })
})
