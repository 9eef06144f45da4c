import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase, schemaOfShard } from '../../test/harness.ts'
import { openDb } from '../kit/db.ts'
import { mintId, siblingId } from '../kit/ids.ts'
import { openAccounts, postEntry } from './journal.ts'
import {
  appealDebit,
  cancelCompensation,
  chargeback,
  chargebackWon,
  deposit,
  type Entry,
  escrowLock,
  escrowRefund,
  escrowRelease,
  payoutReversed,
  refundFailed,
  refundOutside,
  refundPaid,
  refundRejected,
  refundRequested,
  suspenseToAgent,
  tip,
  unmatchedReceipt,
  writeOff,
} from './movements.ts'
import {
  statementLines,
  summarise,
  taskTransactions,
  Transaction,
  TRANSACTION_TYPES,
  viewLines,
} from './statement.ts'

const SHARD = 7
const book = { mode: 'live', shard: SHARD } as const
const schema = schemaOfShard(SHARD)
const db = openDb(await freshDatabase(), { schema, onError: assert.ifError })
after(() => db.close())

let at = Date.UTC(2025, 0, 15)
/** Posts each entry a second after the one before. */
async function post(...entries: Entry[]): Promise<void> {
  for (const entry of entries) {
    at += 1000
    await db.transaction((tx) => postEntry(tx, entry, { now: new Date(at) }))
  }
}

async function open(prefix: 'agent' | 'worker'): Promise<string> {
  const ownerId = mintId(prefix, new Date(at), SHARD)
  await db.transaction((tx) => openAccounts(tx, { ownerId, mode: 'live' }))
  return ownerId
}

const newTask = (agentId: string, lockedCents: number, funding: 'wallet' | 'free' = 'wallet') => ({
  ...book,
  agentId,
  taskId: mintId('task', new Date(at), SHARD),
  lockedCents,
  commissionBasisPoints: 1800,
  funding,
})
let deposits = 0
const depositOf = (agentId: string, amountCents: number) => {
  deposits += 1
  return deposit({ ...book, depositId: `dep_${deposits}`, agentId, amountCents })
}
const statement = async (agentId: string) =>
  viewLines(await statementLines(db.reader, agentId, { limit: 100 }), 'newest')
const short = (rows: Transaction[]) =>
  rows.map(({ type, amount_cents, balance_after_cents }) => [
    type,
    amount_cents,
    balance_after_cents,
  ])

describe('a statement', () => {
  test('is newest first, each row with its amount and the balance after it', async () => {
    const agentId = await open('agent')
    const [worker, task] = [await open('worker'), newTask(agentId, 500)]
    await post(
      depositOf(agentId, 1000),
      escrowLock(task),
      escrowRelease({ ...task, workerIds: [worker], grossCents: 300 }),
      tip({ ...book, agentId, taskId: task.taskId, tips: [{ workerId: worker, cents: 50 }] }),
    )

    const rows = await statement(agentId)

    assert.deepEqual(short(rows), [
      ['tip', -50, 650],
      ['escrow_refund', 200, 700],
      ['escrow_lock', -500, 500],
      ['deposit', 1000, 1000],
    ])
    assert.deepEqual(
      rows.map(({ task_id }) => task_id),
      [task.taskId, task.taskId, task.taskId, null],
    )
    assert.equal(rows[0]!.created_at, new Date(at).toISOString())
    for (const row of rows) Transaction.parse(row)
  })

  test('does not show payments of workers out of escrow: the money had left before', async () => {
    const agentId = await open('agent')
    const [worker, task] = [await open('worker'), newTask(agentId, 500)]
    await post(
      depositOf(agentId, 500),
      escrowLock(task),
      escrowRelease({ ...task, workerIds: [worker], grossCents: 500 }),
    )

    assert.deepEqual(short(await statement(agentId)), [
      ['escrow_lock', -500, 0],
      ['deposit', 500, 500],
    ])
  })

  test('shows a free task as a gift and its use, and its return as the reverse', async () => {
    const agentId = await open('agent')
    const task = newTask(agentId, 400, 'free')
    await post(depositOf(agentId, 100), escrowLock(task), escrowRefund(task))

    const rows = await statement(agentId)

    assert.deepEqual(short(rows), [
      ['free_task_return', -400, 100],
      ['escrow_refund', 400, 500],
      ['escrow_lock', -400, 100],
      ['free_task_credit', 400, 500],
      ['deposit', 100, 100],
    ])
    assert.equal(rows[1]!.id, siblingId(rows[0]!.id))
    assert.equal(rows[3]!.id, siblingId(rows[2]!.id))
    assert.equal(new Set(rows.map(({ id }) => id)).size, 5)
  })

  test('shows the unused part of a free task as returned to the fund', async () => {
    const agentId = await open('agent')
    const task = newTask(agentId, 400, 'free')
    const workerIds = [await open('worker')]
    await post(escrowLock(task), escrowRelease({ ...task, workerIds, grossCents: 300 }))

    assert.deepEqual(short(await statement(agentId)), [
      ['free_task_return', -100, 0],
      ['escrow_refund', 100, 100],
      ['escrow_lock', -400, 0],
      ['free_task_credit', 400, 400],
    ])
  })

  test('shows the rest of a canceled task’s budget as refunded', async () => {
    const agentId = await open('agent')
    const task = newTask(agentId, 1000)
    const holders = [{ workerId: await open('worker'), cents: 300 }]
    await post(depositOf(agentId, 1000), escrowLock(task), cancelCompensation({ ...task, holders }))

    assert.deepEqual(short(await taskTransactions(db.reader, task)), [
      ['escrow_lock', -1000, 0],
      ['escrow_refund', 700, 700],
    ])
  })

  test('shows a tip for several workers as one', async () => {
    const agentId = await open('agent')
    const { taskId } = newTask(agentId, 100)
    const [one, other] = [await open('worker'), await open('worker')]
    const tips = [
      { workerId: one, cents: 30 },
      { workerId: other, cents: 20 },
    ]
    await post(depositOf(agentId, 100), tip({ ...book, agentId, taskId, tips }))

    assert.deepEqual(short(await statement(agentId)), [
      ['tip', -50, 50],
      ['deposit', 100, 100],
    ])
  })

  test('shows a debt as a negative balance, in two rows where it crosses zero', async () => {
    const agentId = await open('agent')
    const bt = { ...book, agentId, balanceTransactionId: `txn_${at}`, amountCents: 1000 }
    await post(
      depositOf(agentId, 300),
      chargeback({ ...bt, feeCents: 1500 }),
      depositOf(agentId, 900),
    )

    assert.deepEqual(short(await statement(agentId)), [
      ['deposit', 200, 200],
      ['deposit', 700, 0],
      ['chargeback', -700, -700],
      ['chargeback', -300, 0],
      ['deposit', 300, 300],
    ])
  })

  test('has a name for every effect on a wallet', async () => {
    const agentId = await open('agent')
    const [workerId, taskId] = [await open('worker'), mintId('task', new Date(at), SHARD)]
    const refund = (refundId: string) => ({ ...book, agentId, refundId, amountCents: 10 })
    const bt = (id: string, amountCents: number) => ({
      ...book,
      agentId,
      balanceTransactionId: `${id}_${at}`,
      amountCents,
    })
    await post(
      unmatchedReceipt(bt('x', 5)),
      suspenseToAgent(bt('x', 5)),
      depositOf(agentId, 1000),
      refundRequested(refund('r1')),
      refundRejected(refund('r1')),
      refundRequested(refund('r2')),
      refundPaid(refund('r2')),
      refundFailed(refund('r2')),
      refundOutside(bt('o', 20)),
      chargeback({ ...bt('c', 30), feeCents: 0 }),
      chargebackWon(bt('w', 30)),
      appealDebit({ ...book, agentId, workerId, taskId, disputeId: 'q', amountCents: 1000 }),
      writeOff({ ...book, agentId, writeOffId: 'o', amountCents: 15 }),
      payoutReversed({ ...bt('p', 40), payoutId: 'p', workerId, to: 'agent' }),
    )

    const rows = await statement(agentId)

    assert.deepEqual(short(rows).reverse(), [
      ['deposit', 5, 5],
      ['deposit', 1000, 1005],
      ['refund', -10, 995],
      ['refund', 10, 1005],
      ['refund', -10, 995],
      ['refund', 10, 1005],
      ['refund', -20, 985],
      ['chargeback', -30, 955],
      ['chargeback_reversal', 30, 985],
      ['appeal_debit', -985, 0],
      ['appeal_debit', -15, -15],
      ['adjustment', 15, 0],
      ['adjustment', 40, 40],
    ])
    assert(rows.every(({ description }) => description !== 'Adjustment'))
  })

  test('has pages without gaps or duplicates', async () => {
    const agentId = await open('agent')
    const bt = { ...book, agentId, balanceTransactionId: `txn_${at}`, amountCents: 700 }
    await post(
      depositOf(agentId, 500),
      chargeback({ ...bt, feeCents: 0 }),
      escrowLock(newTask(agentId, 400, 'free')),
      depositOf(agentId, 500),
    )

    const pages: string[] = []
    let before: number | undefined
    for (;;) {
      const [line] = await statementLines(db.reader, agentId, { limit: 1, before })
      if (line === undefined) break
      pages.push(line.id)
      before = line.agent_statement_no ?? 0
    }

    const whole = await statementLines(db.reader, agentId, { limit: 100 })
    assert.deepEqual(
      pages,
      whole.map(({ id }) => id),
    )
    assert.equal(pages.length, 6)
  })

  test('shows only the agent’s own rows', async () => {
    const [agentId, other] = [await open('agent'), await open('agent')]
    await post(depositOf(agentId, 500))

    assert.deepEqual(await statement(other), [])
    assert.deepEqual(await summarise(db.reader, other), [])
  })
})

describe('a task’s transactions', () => {
  test('are its lock, its settlement and its tip, oldest first', async () => {
    const agentId = await open('agent')
    const [workerId, task] = [await open('worker'), newTask(agentId, 500)]
    const { taskId } = task
    await post(
      depositOf(agentId, 1000),
      escrowLock(task),
      escrowLock(newTask(agentId, 100)),
      escrowRelease({ ...task, workerIds: [workerId], grossCents: 100 }),
      tip({ ...book, agentId, taskId, tips: [{ workerId, cents: 50 }] }),
    )

    assert.deepEqual(short(await taskTransactions(db.reader, { taskId, agentId })), [
      ['escrow_lock', -500, 500],
      ['escrow_refund', 400, 800],
      ['tip', -50, 750],
    ])
  })

  test('of a free task are the gift and then its use', async () => {
    const task = newTask(await open('agent'), 400, 'free')
    await post(escrowLock(task))

    assert.deepEqual(short(await taskTransactions(db.reader, task)), [
      ['free_task_credit', 400, 400],
      ['escrow_lock', -400, 0],
    ])
  })
})

describe('the summary', () => {
  test('adds up the whole statement by type, and sums to the balance', async () => {
    const agentId = await open('agent')
    const [workerId, task] = [await open('worker'), newTask(agentId, 500)]
    const bt = { ...book, agentId, balanceTransactionId: `txn_${at}`, amountCents: 1000 }
    await post(
      depositOf(agentId, 600),
      depositOf(agentId, 100),
      escrowLock(task),
      escrowLock(newTask(agentId, 300, 'free')),
      escrowRelease({ ...task, workerIds: [workerId], grossCents: 300 }),
      chargeback({ ...bt, feeCents: 1500 }),
    )

    const rows = await summarise(db.reader, agentId)

    assert.deepEqual(rows, [
      { type: 'deposit', total_cents: 700, count: 2 },
      { type: 'escrow_lock', total_cents: -800, count: 2 },
      { type: 'escrow_refund', total_cents: 200, count: 1 },
      { type: 'free_task_credit', total_cents: 300, count: 1 },
      { type: 'chargeback', total_cents: -1000, count: 2 },
    ])
    const order = rows.map(({ type }) => TRANSACTION_TYPES.indexOf(type))
    assert.deepEqual(
      order,
      order.toSorted((a, b) => a - b),
    )
    const [newest] = await statement(agentId)
    assert.equal(
      rows.reduce((sum, { total_cents }) => sum + total_cents, 0),
      newest!.balance_after_cents,
    )
  })
})
