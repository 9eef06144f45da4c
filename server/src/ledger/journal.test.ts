import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase, schemaOfShard } from '../../test/harness.ts'
import { call } from '../kit/call.ts'
import { openDb } from '../kit/db.ts'
import { mintId } from '../kit/ids.ts'
import { auditLedger } from './audit-checks.ts'
import { NotEnoughMoney, openAccounts, postEntries, postEntry } from './journal.ts'
import {
  appealDebit,
  chargeback,
  deposit,
  type Entry,
  escrowLock,
  escrowRefund,
  escrowRelease,
  type Line,
  payoutFailed,
  payoutPaid,
  payoutRequested,
  processorFee,
  refundRequested,
  tip,
  writeOff,
} from './movements.ts'

const SHARD = 4000
const now = new Date('2025-01-15T12:00:00Z')
const url = await freshDatabase()
const schema = schemaOfShard(SHARD)
const db = openDb(url, { schema, connectionsMax: 32, onError: assert.ifError })
after(async () => {
  const breaks = await auditLedger(db.reader, { schema })
  await db.close()
  assert.deepEqual(breaks, [])
})

let ids = 0
const unique = (prefix: string) => {
  ids += 1
  return `${prefix}_${ids}`
}
/** Posts in a separate transaction that isn't retried after a deadlock. */
const post = (...entries: Entry[]) =>
  db.reader.transaction().execute((tx) => postEntries(tx, entries, { now }))

async function newAgent({
  cents = 0,
  mode = 'live' as 'live' | 'test',
  freeTasks = 0,
} = {}): Promise<string> {
  const ownerId = mintId('agent', now, SHARD)
  await db.transaction((tx) => openAccounts(tx, { ownerId, mode, freeTasks }))
  if (cents > 0) await post(depositOf(ownerId, cents, { mode }))
  return ownerId
}

async function newWorker({ cents = 0 } = {}): Promise<string> {
  const ownerId = mintId('worker', now, SHARD)
  await db.transaction((tx) => openAccounts(tx, { ownerId, mode: 'live' }))
  if (cents > 0)
    await post(
      tipOf(await newAgent({ cents }), ownerId, cents, { taskId: mintId('task', now, SHARD) }),
    )
  return ownerId
}

const book = { mode: 'live', shard: SHARD } as const
const depositOf = (agentId: string, amountCents: number, more: object = {}) =>
  deposit({ ...book, depositId: unique('dep'), agentId, amountCents, ...more })
const lockOf = (agentId: string, lockedCents: number, taskId = mintId('task', now, SHARD)) =>
  escrowLock({ ...book, agentId, taskId, lockedCents, funding: 'wallet' })
const tipOf = (
  agentId: string,
  workerId: string,
  amountCents: number,
  { taskId }: { taskId: string },
) => tip({ ...book, agentId, taskId, tips: [{ workerId, cents: amountCents }] })
const payoutOf = (workerId: string, amountCents: number) => ({
  ...book,
  payoutId: unique('pay'),
  workerId,
  amountCents,
})

const agentMoney = (agentId: string) =>
  db.reader
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
const walletOf = async (agentId: string) => (await agentMoney(agentId)).wallet_cents
const payableOf = async (workerId: string) =>
  (
    await db.reader
      .selectFrom('ledger_workers')
      .select('payable_cents')
      .where('worker_id', '=', workerId)
      .executeTakeFirstOrThrow()
  ).payable_cents
const linesOf = (key: string) =>
  db.reader
    .selectFrom('transfers')
    .select(['line', 'id', 'debit', 'credit', 'amount_cents', 'agent_balance_cents'])
    .where('key', '=', key)
    .orderBy('line')
    .execute()

describe('posting', () => {
  test('moves the money once, and a repetition is a replay', async () => {
    const agentId = await newAgent()
    const entry = depositOf(agentId, 1000)

    assert.deepEqual(await post(entry), ['posted'])
    assert.deepEqual(await post(entry), ['replayed'])

    assert.equal(await walletOf(agentId), 1000)
    assert.equal((await linesOf(entry.key)).length, 1)
  })

  test('is still a replay after the balances have changed', async () => {
    const agentId = await newAgent({ cents: 1000 })
    const entry = lockOf(agentId, 800)
    await post(entry)

    assert.deepEqual(await post(entry), ['replayed'])

    assert.equal(await walletOf(agentId), 200)
  })

  test('refuses another movement under a used key; nothing moves', async () => {
    const agentId = await newAgent()
    const entry = depositOf(agentId, 1000)
    await post(entry)
    const [line] = entry.lines
    const others: Entry[] = [
      { ...entry, lines: [{ ...line!, amountCents: 1001 }] },
      { ...entry, kind: 'refund_failed' },
      { ...entry, mode: 'test' },
      { ...entry, lines: [{ ...line!, agentId: await newAgent() }] },
      { ...entry, lines: [{ ...line!, refId: 'other' }] },
      { ...entry, lines: [line!, line!] },
    ]

    for (const other of others)
      await assert.rejects(post(other), /was posted before, as another movement/)

    assert.equal(await walletOf(agentId), 1000)
    assert.equal((await linesOf(entry.key)).length, 1)
  })

  test('refuses what the wallet cannot cover, and returns its balance', async () => {
    const agentId = await newAgent({ cents: 99 })
    const entry = lockOf(agentId, 100)

    await assert.rejects(post(entry), (error) => {
      assert(error instanceof NotEnoughMoney)
      assert.equal(error.balanceCents, 99)
      return true
    })

    assert.equal(await walletOf(agentId), 99)
    assert.deepEqual(await linesOf(entry.key), [])
  })

  test('refuses a tip that the wallet cannot cover in full, and pays no part of it', async () => {
    const agentId = await newAgent({ cents: 99 })
    const workerIds = [await newWorker(), await newWorker()]
    const tips = workerIds.map((workerId) => ({ workerId, cents: 50 }))

    await assert.rejects(
      post(tip({ ...book, agentId, taskId: mintId('task', now, SHARD), tips })),
      NotEnoughMoney,
    )

    assert.equal(await walletOf(agentId), 99)
    assert.deepEqual(await Promise.all(workerIds.map(payableOf)), [0, 0])
  })

  test('refuses more than a worker has earned, and more than a payout carries', async () => {
    const workerId = await newWorker({ cents: 500 })
    const payout = payoutOf(workerId, 400)
    await post(payoutRequested(payout))

    await assert.rejects(post(payoutRequested(payoutOf(workerId, 101))), NotEnoughMoney)
    await post(payoutPaid(payout))
    await assert.rejects(post(payoutFailed(payout)), NotEnoughMoney)

    assert.equal(await payableOf(workerId), 100)
  })

  test('posts several movements in order, or none of them', async () => {
    const agentId = await newAgent()
    const [first, second] = [lockOf(agentId, 600), lockOf(agentId, 600)]

    await assert.rejects(post(depositOf(agentId, 1000), first, second), NotEnoughMoney)
    assert.equal(await walletOf(agentId), 0)
    assert.deepEqual(await post(depositOf(agentId, 1000), first), ['posted', 'posted'])

    assert.equal(await walletOf(agentId), 400)
  })

  test('accepts an empty list', async () => {
    const empty = processorFee({ ...book, balanceTransactionId: unique('txn'), amountCents: 0 })

    assert.equal(await db.transaction((tx) => postEntry(tx, empty, { now })), 'replayed')
    assert.deepEqual(await linesOf(empty.key), [])
  })

  test('repays the debt first from a credit, as a separate line', async () => {
    const agentId = await newAgent({ cents: 300 })
    const bt = { ...book, balanceTransactionId: unique('txn'), agentId, amountCents: 1000 }
    await post(chargeback({ ...bt, feeCents: 1500 }))
    const owed = await agentMoney(agentId)
    const entry = depositOf(agentId, 900)
    await post(entry)

    assert.deepEqual([owed.wallet_cents, owed.receivable_cents], [0, 700])
    const taken = await linesOf(`bt:${bt.balanceTransactionId}`)
    assert.deepEqual(
      taken.map(({ debit, amount_cents, agent_balance_cents }) => [
        debit,
        amount_cents,
        agent_balance_cents,
      ]),
      [
        ['liab:agent_wallet', 300, 0],
        ['asset:agent_receivable', 700, -700],
        ['exp:dispute_fees', 1500, null],
      ],
    )
    const given = await linesOf(entry.key)
    assert.deepEqual(
      given.map(({ line, credit, amount_cents, agent_balance_cents }) => [
        line,
        credit,
        amount_cents,
        agent_balance_cents,
      ]),
      [
        [1, 'asset:agent_receivable', 700, 0],
        [2, 'liab:agent_wallet', 200, 200],
      ],
    )
    assert(given[0]!.id < given[1]!.id, 'the statement shows them in this order')
    assert.equal(await walletOf(agentId), 200)
  })

  test('debits the wallet first, then creates debt', async () => {
    const agentId = await newAgent({ cents: 300 })
    const taskId = mintId('task', now, SHARD)

    const debit = (workerId: string, amountCents: number) =>
      appealDebit({ ...book, disputeId: 'dis', agentId, workerId, taskId, amountCents })
    await post(debit('first', 300))
    const paid = await agentMoney(agentId)
    await post(debit('second', 5))

    assert.deepEqual([paid.wallet_cents, paid.receivable_cents], [0, 0])
    assert.equal((await agentMoney(agentId)).receivable_cents, 5)
  })

  test('does not write off a debt twice', async () => {
    const agentId = await newAgent()
    const bt = { ...book, balanceTransactionId: unique('txn'), agentId, amountCents: 100 }
    await post(chargeback({ ...bt, feeCents: 0 }))
    const off = (amountCents: number) =>
      writeOff({ ...book, writeOffId: unique('off'), agentId, amountCents })

    await post(off(60))

    await assert.rejects(post(off(60)), /agent_receivable_not_negative/)
    assert.equal((await agentMoney(agentId)).receivable_cents, 40)
  })

  test('returns a free task, but not more often than it was granted', async () => {
    const agentId = await newAgent({ freeTasks: 3 })
    const back = { p_agents: [agentId], p_changes: [1] }

    await assert.rejects(call(db, 'ledger_free_tasks', back), /agent_free_tasks_left/)

    assert.equal((await agentMoney(agentId)).free_tasks_remaining, 3)
  })
})

describe('the database refuses', () => {
  const crooked = (line: Partial<Line>, ...more: Line[]): Entry => ({
    ...book,
    key: unique('crooked'),
    kind: 'deposit',
    lines: [
      { debit: 'asset:processor_balance', credit: 'liab:suspense', amountCents: 100, ...line },
      ...more,
    ],
  })

  test('a credit to a wallet or a charge to a debt that bypasses the rule', async () => {
    const agentId = await newAgent({ cents: 500 })

    await assert.rejects(
      post(crooked({ credit: 'liab:agent_wallet', agentId })),
      /credits an agent directly/,
    )
    await assert.rejects(
      post(crooked({ debit: 'asset:agent_receivable', agentId })),
      /charges an agent directly/,
    )

    assert.equal(await walletOf(agentId), 500)
  })

  test('a line that runs short after another has moved; neither is kept', async () => {
    const [rich, poor] = [await newAgent({ cents: 500 }), await newAgent()]
    const taken = (agentId: string): Line => ({
      debit: 'liab:agent_wallet',
      credit: 'liab:suspense',
      amountCents: 100,
      agentId,
    })

    await assert.rejects(post(crooked(taken(rich), taken(poor))), /runs short on a later line/)
    await assert.rejects(post(crooked(taken(poor), taken(rich))), NotEnoughMoney)

    assert.equal(await walletOf(rich), 500)
  })

  test('a movement between the live and the test book', async () => {
    const [live, other] = [await newAgent({ cents: 500 }), await newAgent({ mode: 'test' })]

    await assert.rejects(post(depositOf(other, 100)), /crosses books/)
    await assert.rejects(post(depositOf(live, 100, { mode: 'test' })), /crosses books/)
    await assert.rejects(
      post(
        crooked(
          { debit: 'liab:agent_wallet', agentId: live },
          {
            debit: 'liab:suspense',
            credit: 'agent',
            amountCents: 100,
            agentId: other,
          },
        ),
      ),
      /crosses books/,
    )

    assert.equal(await walletOf(live), 500)
    assert.equal(await walletOf(other), 0)
  })

  test('a movement that names an unknown owner, on either side', async () => {
    const agentId = await newAgent({ cents: 500 })
    const workerId = await newWorker({ cents: 500 })
    const [noAgent, noWorker] = [mintId('agent', now, SHARD), mintId('worker', now, SHARD)]
    const taskId = mintId('task', now, SHARD)
    const refund = { ...book, refundId: unique('ref'), agentId: noAgent, amountCents: 5 }
    const strangers = [
      depositOf(noAgent, 100),
      lockOf(noAgent, 100),
      escrowLock({ ...book, agentId: noAgent, taskId, lockedCents: 5, funding: 'free' }),
      refundRequested(refund),
      tipOf(noAgent, workerId, 5, { taskId }),
      tipOf(agentId, noWorker, 5, { taskId }),
      payoutRequested(payoutOf(noWorker, 5)),
      payoutPaid(payoutOf(workerId, 5)),
      payoutFailed(payoutOf(workerId, 5)),
      crooked({ credit: 'agent' }),
    ]

    for (const stranger of strangers) await assert.rejects(post(stranger), /names an unknown owner/)

    assert.equal(await walletOf(agentId), 500)
    assert.equal(await payableOf(workerId), 500)
  })

  test('an invalid amount', async () => {
    const agentId = await newAgent({ cents: 500 })

    for (const amountCents of [-1, -500])
      await assert.rejects(
        post(crooked({ credit: 'agent', agentId, amountCents })),
        /transfers_amount_cents_check|_not_negative|agent_owes_or_owns/,
      )

    assert.equal(await walletOf(agentId), 500)
  })

  test('an escrow that pays more than it holds, or to another task', async () => {
    const agentId = await newAgent({ cents: 1000 })
    const task = {
      ...book,
      agentId,
      taskId: mintId('task', now, SHARD),
      funding: 'wallet' as const,
    }
    await post(lockOf(agentId, 300, task.taskId))
    const [line] = escrowRefund({ ...task, lockedCents: 100 }).lines

    await assert.rejects(
      post(escrowRefund({ ...task, lockedCents: 301 })),
      /more leaves an escrow than it holds/,
    )
    await assert.rejects(post(crooked(line!)), /transfers_escrow_of_its_task/)
    await assert.rejects(post(crooked({ debit: 'liab:escrow' })), /names an unknown owner/)
    await assert.rejects(post(crooked({ credit: 'liab:escrow' })), /names an unknown owner/)
    await assert.rejects(
      post(escrowRefund({ ...task, taskId: mintId('task', now, SHARD), lockedCents: 1 })),
      /more leaves an escrow than it holds/,
    )

    assert.equal(await walletOf(agentId), 700)
  })

  test('a second settlement of a task, whichever was first', async () => {
    const agentId = await newAgent({ cents: 1000 })
    const workerIds = [await newWorker()]
    const tasks = [0, 1].map(() => ({
      ...book,
      agentId,
      taskId: mintId('task', now, SHARD),
      funding: 'wallet' as const,
      lockedCents: 500,
      commissionBasisPoints: 1800,
    }))
    for (const { taskId } of tasks) await post(lockOf(agentId, 500, taskId))
    const release = (i: number) => escrowRelease({ ...tasks[i]!, workerIds, grossCents: 500 })
    await post(release(0), escrowRefund(tasks[1]!))

    await assert.rejects(post(escrowRefund(tasks[0]!)), /was posted before/)
    await assert.rejects(post(release(1)), /was posted before/)

    assert.equal(await walletOf(agentId), 500)
    assert.equal(await payableOf(workerIds[0]!), 410)
  })
})

describe('concurrently', () => {
  /** Runs as many at a time as there are connections: on a busy machine, more would time out waiting for one. */
  const settled = async (count: number, work: (i: number) => Promise<unknown>) => {
    const done: unknown[] = []
    const failed: Error[] = []
    let next = 0
    const runner = async () => {
      while (next < count)
        await work(next++).then(
          (value) => done.push(value),
          (error: Error) => failed.push(error),
        )
    }
    await Promise.all(Array.from({ length: 16 }, runner))
    return { done, failed }
  }

  test('64 posts of one key: one is posted, the others are replays', async () => {
    const agentId = await newAgent()
    const entry = depositOf(agentId, 1000)

    const { done, failed } = await settled(64, () => post(entry))

    assert.deepEqual(failed, [])
    assert.equal(done.flat().filter((outcome) => outcome === 'posted').length, 1)
    assert.equal(await walletOf(agentId), 1000)
  })

  test('64 posts of one key without a shared balance: one is posted, the others are replays or fail', async () => {
    const entry = processorFee({ ...book, balanceTransactionId: unique('txn'), amountCents: 30 })

    const { done, failed } = await settled(64, () => post(entry))

    assert.equal(done.flat().filter((outcome) => outcome === 'posted').length, 1)
    for (const error of failed) assert.match(error.message, /transfers_pkey/)
    assert.deepEqual(await post(entry), ['replayed'])
    assert.equal((await linesOf(entry.key)).length, 1)
  })

  test('64 locks of 100 on a wallet of 1000: exactly 10 succeed', async () => {
    const agentId = await newAgent({ cents: 1000 })

    const { done, failed } = await settled(64, () => post(lockOf(agentId, 100)))

    assert.equal(done.length, 10)
    assert.equal(failed.filter((error) => error instanceof NotEnoughMoney).length, 54)
    assert.equal(await walletOf(agentId), 0)
  })

  test('64 payouts of 100 of a worker who has earned 1000: exactly 10 succeed', async () => {
    const workerId = await newWorker({ cents: 1000 })

    const { done, failed } = await settled(64, () => post(payoutRequested(payoutOf(workerId, 100))))

    assert.equal(done.length, 10)
    assert.equal(failed.filter((error) => error instanceof NotEnoughMoney).length, 54)
    assert.equal(await payableOf(workerId), 0)
  })

  test('64 settlements of one task, half approvals, half refunds: one succeeds', async () => {
    const agentId = await newAgent({ cents: 500 })
    const workerIds = [await newWorker()]
    const task = {
      ...book,
      agentId,
      taskId: mintId('task', now, SHARD),
      funding: 'wallet' as const,
    }
    await post(lockOf(agentId, 500, task.taskId))
    const ends = [
      escrowRelease({
        ...task,
        lockedCents: 500,
        commissionBasisPoints: 1800,
        workerIds,
        grossCents: 500,
      }),
      escrowRefund({ ...task, lockedCents: 500 }),
    ]

    const { done, failed } = await settled(64, (i) => post(ends[i % 2]!))

    assert.equal(done.flat().filter((outcome) => outcome === 'posted').length, 1)
    for (const error of failed)
      assert.match(error.message, /was posted before|transfers_pkey/, error.stack)
    const [back, paid] = [await walletOf(agentId), await payableOf(workerIds[0]!)]
    assert(
      (back === 500 && paid === 0) || (back === 0 && paid === 410),
      `wallet ${back}, payable ${paid}`,
    )
  })

  test('200 transfers in opposite directions: no deadlock, and no cent is lost', async () => {
    const pair = [await newAgent({ cents: 10_000 }), await newAgent({ cents: 10_000 })]
    const give = (from: string, to: string): Entry => ({
      ...book,
      key: unique('between'),
      kind: 'deposit',
      lines: [
        { debit: 'liab:agent_wallet', credit: 'liab:suspense', amountCents: 7, agentId: from },
        { debit: 'liab:suspense', credit: 'agent', amountCents: 7, agentId: to },
      ],
    })

    const { failed } = await settled(200, (i) =>
      i % 2 === 0 ? post(give(pair[0]!, pair[1]!)) : post(give(pair[1]!, pair[0]!)),
    )

    assert.deepEqual(failed, [])
    assert.deepEqual([await walletOf(pair[0]!), await walletOf(pair[1]!)], [10_000, 10_000])
  })

  test('200 batches over agents and workers in opposite orders: no deadlock', async () => {
    const agents = [await newAgent({ cents: 100_000 }), await newAgent({ cents: 100_000 })]
    const workers = [await newWorker(), await newWorker()]
    const batch = () =>
      [0, 1].map((i) =>
        tipOf(agents[i]!, workers[1 - i]!, 3, { taskId: mintId('task', now, SHARD) }),
      )

    const { failed } = await settled(200, (i) =>
      i % 2 === 0 ? post(...batch()) : post(...batch().reverse()),
    )

    assert.deepEqual(failed, [])
    assert.deepEqual([await payableOf(workers[0]!), await payableOf(workers[1]!)], [600, 600])
  })
})
