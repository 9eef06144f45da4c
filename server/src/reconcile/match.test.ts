import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { Json, Marketplace } from '../../test/harness.ts'
import {
  atProcessor,
  breaksOf,
  chargeOf,
  HOUR,
  movements,
  openBooks,
  posted,
  reconcileAfter,
  MINUTE,
  strayPayment,
} from '../../test/money.ts'
import { completedBy, payableWorker } from '../../test/payouts.ts'
import { postEntry } from '../ledger/journal.ts'
import { unmatchedPayment } from '../ledger/movements.ts'
import { reversePayout } from '../payouts/reverse.ts'
import { refundAgent } from '../wallet/request-refund.ts'

const market = await openBooks()
await market.sandbox.control('POST', 'topups', { amount: 1_000_000 })
const agent = await market.agent({ freeTasks: false })
const worker = await payableWorker(market)

const control = (path: string, body: object = {}) => market.sandbox.control('POST', path, body)

/** The newest line of a type, and the keys of the ledger lines that match it. */
async function matched(type: string): Promise<{ line: Json; keys: string[]; isMatched: boolean }> {
  const line = (await movements(market)).find((one) => one.type === type)!
  const keys = await market.asOwner(
    'select key from processor_matches where balance_transaction_id = $1 order by key',
    [line.id],
  )
  const [row] = await market.asOwner('select matched_at from balance_transactions where id = $1', [
    line.id,
  ])
  return { line, keys: keys.map(({ key }) => key as string), isMatched: row?.matched_at !== null }
}

/** Runs `happens` without notifications, so that everything is found from the processor's list alone. */
async function unheard(happens: () => Promise<unknown>): Promise<void> {
  await control('deliveries', { mode: 'hold' })
  await happens()
  await control('deliveries/release', { drop: 1 })
  await control('deliveries', { mode: 'normal' })
}

async function pay(amountCents: number): Promise<string> {
  const { body } = await agent.post('/wallet/deposit', { amount_cents: amountCents })
  await market.sandbox.pay(body.session_id as string)
  return body.transaction_id as string
}

/** Asserts that no balance transaction is left unmatched. */
async function assertNothingLeft(): Promise<void> {
  const left = await market.asOwner('select id from balance_transactions where matched_at is null')
  assert.deepEqual(left, [])
}

describe('a line of the processor’s list is matched with our ledger, whoever posted it:', () => {
  test('charge, of a deposit with a notification', async () => {
    const depositId = await market.deposit(agent, 50_000)

    const run = await reconcileAfter(market, MINUTE)

    const { line, keys } = await matched('charge')
    assert.deepEqual(keys, [`bt:${line.id}:fee`, `deposit:${depositId}:settled`])
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })

  test('charge, of a deposit without a notification', async () => {
    const before = await market.balance(agent.id)
    let depositId = ''
    await unheard(async () => {
      depositId = await pay(2000)
    })

    await reconcileAfter(market, MINUTE)

    const { line, keys } = await matched('charge')
    assert.deepEqual(keys, [`bt:${line.id}:fee`, `deposit:${depositId}:settled`])
    assert.equal(await market.balance(agent.id), before + 2000)
  })

  test('refund, of ours', async () => {
    const [refund] = await refundAgent(market.background, {
      agentId: agent.id,
      amountCents: 500,
      requestedBy: 'test',
      reason: 'asked for',
    })
    await market.settle()

    await reconcileAfter(market, MINUTE)

    const { keys } = await matched('refund')
    assert.deepEqual(keys, [`refund:${refund!.id}:paid`])
  })

  test('refund, made by hand, and its later failure, without a notification', async () => {
    const charge = await chargeOf(market, await market.deposit(agent, 3000))
    const before = await market.balance(agent.id)
    let made: Json = {}
    await unheard(async () => {
      made = await atProcessor(market, 'refunds', { charge, amount: '1000' })
    })

    await reconcileAfter(market, MINUTE)
    const after = await market.balance(agent.id)
    const paid = await matched('refund')
    await unheard(() => control(`refunds/${made.id}/fail`))
    await reconcileAfter(market, MINUTE)

    const failed = await matched('refund_failure')
    assert.deepEqual(paid.keys, [`bt:${paid.line.id}`])
    assert.equal(after, before - 1000)
    assert.match(failed.keys.join(), /^refund:rfd_\w+:failed$/)
    assert.equal(await market.balance(agent.id), before)
  })

  test('payment_failure_refund, of a refund to a bank account that fails later', async () => {
    const { body } = await agent.post('/wallet/deposit', { amount_cents: 2500 })
    await market.sandbox.pay(body.session_id as string, 'bank_debit')
    await control(`sessions/${body.session_id}/settle`, { ok: true })
    await market.settle()
    const before = await market.balance(agent.id)
    const [refund] = await refundAgent(market.background, {
      agentId: agent.id,
      amountCents: 2500,
      requestedBy: 'ada',
      reason: 'not needed',
    })
    await market.settle()
    const [row] = await market.asOwner('select processor_refund_id from refunds where id = $1', [
      refund!.id,
    ])
    await control(`refunds/${row!.processor_refund_id}/fail`)
    await market.settle()

    const run = await reconcileAfter(market, HOUR)

    const failed = await matched('payment_failure_refund')
    assert.deepEqual(failed.keys, [`refund:${refund!.id}:failed`])
    assert.equal(await market.balance(agent.id), before)
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })

  test('payment that was listed early, and payment_failure_refund that reverses it', async () => {
    const before = await market.balance(agent.id)
    // Our sandbox lists a debit only once it has succeeded; the real processor lists it earlier.
    await market.asOwner(
      `insert into balance_transactions (id, type, reporting_category, amount_cents, fee_cents, net_cents, currency,
         source_id, created_at, available_on, mirrored_at)
       values ('txn_early', 'payment', 'charge', 900, 0, 900, 'usd', 'py_failed', $1, $1, $1),
              ('txn_failed', 'payment_failure_refund', 'refund', -900, 0, -900, 'usd', 'py_failed', $1, $1, $1)`,
      [market.now()],
    )

    const run = await reconcileAfter(market, HOUR)

    const rows = await market.asOwner(
      `select id, cancelled_by from balance_transactions where source_id = 'py_failed' and matched_at is not null
        order by id`,
    )
    assert.deepEqual(rows, [
      { id: 'txn_early', cancelled_by: 'txn_failed' },
      { id: 'txn_failed', cancelled_by: 'txn_early' },
    ])
    assert.equal(await market.balance(agent.id), before)
    assert.deepEqual(run.unexplained, [0, 0, 0])
  })

  test('adjustment, of a chargeback, and of its end in our favor, without a notification', async () => {
    const charge = await chargeOf(market, await market.deposit(agent, 4000))
    const before = await market.balance(agent.id)
    let dispute: Json = {}
    await unheard(async () => {
      dispute = await control(`charges/${charge}/dispute`)
    })

    await reconcileAfter(market, MINUTE)
    const taken = await matched('adjustment')
    const without = await market.balance(agent.id)
    await unheard(() => control(`disputes/${dispute.id}/close`, { status: 'won' }))
    await reconcileAfter(market, MINUTE)

    const back = await matched('adjustment')
    assert.deepEqual([taken.line.net, taken.keys], [-5500, [`bt:${taken.line.id}`]])
    assert.deepEqual([back.line.net, back.keys], [4000, [`bt:${back.line.id}`]])
    assert.equal(without, before - 4000)
    assert.equal(await market.balance(agent.id), before)
  })

  test('transfer, of a payout, and transfer_refund, of its reversal', async () => {
    await completedBy(agent, [worker])
    await market.settle()
    const [payout] = await market.asOwner(`select id from payouts where status = 'paid'`)
    const payoutId = payout!.id as string

    await reconcileAfter(market, MINUTE)
    const paid = await matched('transfer')
    await unheard(() =>
      reversePayout(market.background, { payoutId, amountCents: 300, requestedBy: 'test' }),
    )
    await reconcileAfter(market, MINUTE)

    const back = await matched('transfer_refund')
    assert.deepEqual(paid.keys, [`payout:${payoutId}:paid`])
    assert.deepEqual([back.line.net, back.keys], [300, [`bt:${back.line.id}`]])
  })

  test('transfer_refund, made by hand, without a notification', async () => {
    const [payout] = await market.asOwner(`select id, worker_id, transfer_id from payouts
      where transfer_id is not null`)
    const before = await market.payable(payout!.worker_id as string)
    await unheard(() =>
      atProcessor(market, `transfers/${payout!.transfer_id}/reversals`, { amount: '200' }),
    )

    await reconcileAfter(market, MINUTE)

    const { line, keys } = await matched('transfer_refund')
    assert.deepEqual([line.net, keys], [200, [`bt:${line.id}`]])
    assert.equal(await market.payable(payout!.worker_id as string), before + 200)
  })

  const OWN: [name: string, type: string, happens: () => Promise<unknown>, expected: string][] = [
    [
      'our own top-up',
      'topup',
      () => control('topups', { amount: 700 }),
      'operator_funding: asset:processor_balance > eq:operator_funding 700',
    ],
    [
      'our own failed top-up',
      'topup_reversal',
      async () => control(`topups/${(await control('topups', { amount: 600 })).id}/reverse`),
      'operator_withdrawal: eq:operator_withdrawals > asset:processor_balance 600',
    ],
    [
      'our own manual payout',
      'payout',
      () => atProcessor(market, 'payouts', { amount: '800', currency: 'usd' }),
      'operator_withdrawal: eq:operator_withdrawals > asset:processor_balance 800',
    ],
    [
      'our own payout that the bank returns',
      'payout_failure',
      async () => {
        const { id } = await atProcessor(market, 'payouts', { amount: '900', currency: 'usd' })
        return control(`payouts/${id}`, { status: 'failed' })
      },
      'operator_funding: asset:processor_balance > eq:operator_funding 900',
    ],
    [
      'fees of the processor',
      'stripe_fee',
      () => control('fees', { amount: 250 }),
      'processor_charge: exp:processor_fees > asset:processor_balance 250',
    ],
    [
      'a rebate of fees',
      'stripe_fee',
      () => control('odd', { amount: 125, type: 'stripe_fee' }),
      'processor_rebate: asset:processor_balance > exp:processor_fees 125',
    ],
    [
      'taxes on fees',
      'tax_fee',
      () => control('odd', { amount: -40, type: 'tax_fee' }),
      'processor_charge: exp:processor_fees > asset:processor_balance 40',
    ],
  ]
  for (const [name, type, happens, expected] of OWN)
    test(`${type}: ${name}`, async () => {
      await happens()

      const run = await reconcileAfter(market, MINUTE)

      const { line, keys } = await matched(type)
      assert.deepEqual(keys, [`bt:${line.id}`])
      assert.deepEqual(await posted(market, `bt:${line.id}`), [expected])
      assert.deepEqual(run.unexplained, [0, 0, 0])
    })

  test('and nothing is left unmatched on either side', async () => {
    const run = await reconcileAfter(market, MINUTE)

    await assertNothingLeft()
    assert.equal(run.processor_cents, run.ledger_cents)
    assert.deepEqual(await breaksOf(market), [])
  })
})

describe('an unmatched line', () => {
  test('waits 15 minutes, then goes into suspense, with its fee separate', async () => {
    const books = await openBooks()
    const line = await strayPayment(books, 5000)

    const soon = await reconcileAfter(books, 10 * MINUTE)
    const early = await posted(books, `bt:${line.id}`)
    const later = await reconcileAfter(books, 10 * MINUTE)

    assert.deepEqual(early, [])
    assert.deepEqual(soon.unexplained, [line.net, 0, 0])
    assert.deepEqual(await posted(books, `bt:${line.id}`), [
      'unmatched_receipt: asset:processor_balance > liab:suspense 5000',
    ])
    assert.deepEqual(await posted(books, `bt:${line.id}:fee`), [
      `processor_fee: exp:processor_fees > asset:processor_balance ${line.fee}`,
    ])
    assert.deepEqual(later.unexplained, [0, 0, 0])
    assert.equal(later.ledger_cents, later.processor_cents)
    assert((await breaksOf(books)).includes(`suspense ${line.id} 5000`))
  })

  const CASES: [name: string, happens: (books: Marketplace) => Promise<unknown>, cents: number][] =
    [
      [
        'a manual transfer',
        async (books) => {
          const { accountId } = await payableWorker(books)
          await atProcessor(books, 'transfers', {
            amount: '300',
            currency: 'usd',
            destination: accountId,
          })
        },
        -300,
      ],
      [
        'a transfer of an unknown payout',
        async (books) => {
          const { accountId } = await payableWorker(books)
          await atProcessor(books, 'transfers', {
            amount: '310',
            currency: 'usd',
            destination: accountId,
            'metadata[payout_id]': 'po_00000000000000000000000000',
          })
        },
        -310,
      ],
      [
        'incoming money of an unexpected type',
        (books) => odd(books, 77, 'anticipation_repayment'),
        77,
      ],
      ['outgoing money of an unexpected type', (books) => odd(books, -66, 'reserved_funds'), -66],
      ['an adjustment without a dispute', (books) => odd(books, -55, 'adjustment'), -55],
      ['a type named like a JavaScript property', (books) => odd(books, 44, 'constructor'), 44],
    ]
  const odd = (books: Marketplace, amount: number, type: string) =>
    books.sandbox.control('POST', 'odd', { amount, type })
  for (const [name, happens, cents] of CASES)
    test(`goes into suspense: ${name}`, async () => {
      const books = await openBooks()
      await books.sandbox.control('POST', 'topups', { amount: 10_000 })
      await happens(books)
      await books.settle()
      const [line] = await movements(books)

      const run = await reconcileAfter(books, 16 * MINUTE)

      assert.equal(run.ledger_cents, run.processor_cents)
      assert.deepEqual(await posted(books, `bt:${line!.id}`), [
        cents > 0
          ? `unmatched_receipt: asset:processor_balance > liab:suspense ${cents}`
          : `unmatched_payment: liab:suspense > asset:processor_balance ${-cents}`,
      ])
      assert.deepEqual(await breaksOf(books), [`suspense ${line!.id} ${cents}`])
      // Money that came in is there, whoever owns it; money that left is not.
      assert.deepEqual(run.unexplained, [cents < 0 ? -cents : 0, 0, 0])
    })

  test('goes into suspense with its refund and its chargeback', async () => {
    const books = await openBooks()
    await books.sandbox.control('POST', 'topups', { amount: 10_000 })
    const payment = await strayPayment(books, 5000)
    await atProcessor(books, 'refunds', { charge: payment.source as string, amount: '1000' })
    await books.sandbox.control('POST', `charges/${payment.source}/dispute`, { amount: 4000 })
    await books.settle()

    const run = await reconcileAfter(books, 16 * MINUTE)

    const [chargeback, refund] = await movements(books)
    assert.equal(run.ledger_cents, run.processor_cents)
    assert.deepEqual(
      await breaksOf(books),
      [
        `suspense ${payment.id} 5000`,
        `suspense ${refund!.id} -1000`,
        `suspense ${chargeback!.id} -4000`,
      ].sort(),
    )
  })
})

describe('a run', () => {
  test('changes nothing the second time, or when four run concurrently', async () => {
    const books = await openBooks()
    await books.sandbox.control('POST', 'topups', { amount: 5000 })
    await books.sandbox.control('POST', 'odd', { amount: -60, type: 'reserved_funds' })
    const payer = await books.agent()
    await books.deposit(payer, 2000)
    books.advance(16 * MINUTE)

    await Promise.all(Array.from({ length: 4 }, () => reconcileAfter(books, 0)))
    const lines = await books.asOwner('select key from transfers order by key, line')
    const matches = await books.asOwner('select * from processor_matches order by key')
    await reconcileAfter(books, MINUTE)

    assert.deepEqual(await books.asOwner('select key from transfers order by key, line'), lines)
    assert.deepEqual(await books.asOwner('select * from processor_matches order by key'), matches)
    assert.equal((await breaksOf(books)).length, 1)
  })

  test('continues with the others if one line cannot be settled', async () => {
    const books = await openBooks()
    await books.sandbox.control('POST', 'fees', { amount: 30 })
    const [line] = await movements(books)
    // Posted as a different kind of movement than it is.
    await books.server.db.shards.of(0).transaction((tx) =>
      postEntry(
        tx,
        unmatchedPayment({
          mode: 'live',
          shard: 0,
          balanceTransactionId: line!.id as string,
          amountCents: 31,
        }),
        { now: books.now() },
      ),
    )
    await books.sandbox.control('POST', 'topups', { amount: 5000 })
    await books.settle()

    const run = await reconcileAfter(books, 2 * HOUR)

    assert.equal(run.ledger_cents, 5000 - 31)
    assert.deepEqual(await breaksOf(books), [
      `suspense ${line!.id} -31`,
      `wrong_amount ${line!.id} 1`,
    ])
  })

  test('gives up on a silent processor after a few requests, and leaves the rest for later', async () => {
    const books = await openBooks()
    await books.sandbox.control('POST', 'deliveries', { mode: 'hold' })
    const payer = await books.agent()
    for (let i = 0; i < 6; i += 1) {
      const { body } = await payer.post('/wallet/deposit', { amount_cents: 1000 })
      await books.sandbox.pay(body.session_id as string)
    }
    const match = 'GET /v1/(charges|checkout)'
    await books.sandbox.control('POST', 'faults', { match, mode: 'error_before', times: 100 })

    const silent = await reconcileAfter(books, 16 * MINUTE)
    const { data: faults } = await books.sandbox.control('GET', 'faults')
    await books.sandbox.control('DELETE', 'faults')
    const heard = await reconcileAfter(books, MINUTE)

    assert.equal(faults[0].struck, 3)
    assert.equal(silent.unexplained[0], 6 * (1000 - 59))
    assert.deepEqual(heard.unexplained, [0, 0, 0])
    assert.equal(await books.balance(payer.id), 6000)
  })
})
