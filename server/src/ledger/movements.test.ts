import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ACCOUNTS } from './accounts.ts'
import * as movements from './movements.ts'
import type { Entry, Line } from './movements.ts'

const {
  appealDebit,
  cancelCompensation,
  chargeback,
  chargebackWon,
  deposit,
  escrowLock,
  escrowRefund,
  escrowRelease,
  goodwill,
  operatorFunding,
  operatorWithdrawal,
  payoutFailed,
  payoutPaid,
  payoutRequested,
  payoutReversed,
  playMoney,
  processorCharge,
  processorFee,
  processorRebate,
  refundFailed,
  refundOutside,
  refundPaid,
  refundRejected,
  refundRequested,
  suspenseRefund,
  suspenseToAgent,
  suspenseToOperator,
  suspenseToPayout,
  tip,
  unmatchedPayment,
  unmatchedReceipt,
  writeOff,
} = movements

const book = { mode: 'live', shard: 5 } as const
const wallet = {
  funding: 'wallet',
  lockedCents: 1000,
  commissionBasisPoints: 1800,
  taskId: 't',
  agentId: 'a',
} as const
const free = { ...wallet, funding: 'free' } as const
const payout = { ...book, payoutId: 'p', workerId: 'w', amountCents: 700 }
const refund = { ...book, refundId: 'r', agentId: 'a', amountCents: 700 }
const bt = { ...book, balanceTransactionId: 'b', amountCents: 300 }

/** An entry, its expected key and kind, and its lines: `debit > credit cents`, then the owners. */
const TABLE: [name: string, entry: Entry, key: string, kind: string, lines: string[]][] = [
  [
    'deposit',
    deposit({ ...book, depositId: 'd', agentId: 'a', amountCents: 2500 }),
    'deposit:d:settled',
    'deposit',
    ['asset:processor_balance > agent 2500 (agent a, ref d)'],
  ],
  [
    'playMoney',
    playMoney({ shard: 5, agentId: 'a', amountCents: 100_000 }),
    'deposit:play_money_a:settled',
    'deposit',
    ['asset:processor_balance > agent 100000 (agent a, ref play_money_a)'],
  ],
  [
    'processorFee',
    processorFee(bt),
    'bt:b:fee',
    'processor_fee',
    ['exp:processor_fees > asset:processor_balance 300 (ref b)'],
  ],
  [
    'unmatchedReceipt',
    unmatchedReceipt(bt),
    'bt:b',
    'unmatched_receipt',
    ['asset:processor_balance > liab:suspense 300 (ref b)'],
  ],
  [
    'suspenseToAgent',
    suspenseToAgent({ ...bt, agentId: 'a' }),
    'suspense:b:resolved',
    'suspense_to_agent',
    ['liab:suspense > agent 300 (agent a, ref b)'],
  ],
  [
    'suspenseRefund',
    suspenseRefund(bt),
    'suspense:b:resolved',
    'suspense_refund',
    ['liab:suspense > asset:processor_balance 300 (ref b)'],
  ],
  [
    'unmatchedPayment',
    unmatchedPayment(bt),
    'bt:b',
    'unmatched_payment',
    ['liab:suspense > asset:processor_balance 300 (ref b)'],
  ],
  [
    'suspenseToOperator of incoming money',
    suspenseToOperator({ ...bt, isReceipt: true }),
    'suspense:b:resolved',
    'suspense_to_operator',
    ['liab:suspense > eq:operator_funding 300 (ref b)'],
  ],
  [
    'suspenseToOperator of outgoing money',
    suspenseToOperator({ ...bt, isReceipt: false }),
    'suspense:b:resolved',
    'suspense_to_operator',
    ['eq:operator_withdrawals > liab:suspense 300 (ref b)'],
  ],
  [
    'suspenseToPayout',
    suspenseToPayout({ ...bt, isOperators: false }),
    'suspense:b:resolved',
    'suspense_to_payout',
    ['asset:processor_balance > liab:suspense 300 (ref b)'],
  ],
  [
    'suspenseToPayout of money taken as the operator’s',
    suspenseToPayout({ ...bt, isOperators: true }),
    'suspense:b:returned',
    'suspense_to_payout',
    ['asset:processor_balance > eq:operator_withdrawals 300 (ref b)'],
  ],
  [
    'escrowLock',
    escrowLock({ ...book, ...wallet }),
    'task:t:lock',
    'escrow_lock',
    ['liab:agent_wallet > liab:escrow 1000 (agent a, task t)'],
  ],
  [
    'escrowLock of a free task',
    escrowLock({ ...book, ...free }),
    'task:t:lock',
    'free_task_lock',
    ['exp:promo > liab:escrow 1000 (agent a, task t)'],
  ],
  [
    'escrowRelease of 500 to one worker: 410 and 90',
    escrowRelease({ ...book, ...wallet, lockedCents: 500, grossCents: 500, workerIds: ['w'] }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 410 (agent a, worker w, task t)',
      'liab:escrow > rev:commission 90 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease of 1000 to three workers: 274, 273, 273 and 180',
    escrowRelease({ ...book, ...wallet, grossCents: 1000, workerIds: ['w', 'x', 'y'] }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 274 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 273 (agent a, worker x, task t)',
      'liab:escrow > liab:worker_payable 273 (agent a, worker y, task t)',
      'liab:escrow > rev:commission 180 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease of 333 at 25 %: 250 and 83',
    escrowRelease({
      ...book,
      ...wallet,
      lockedCents: 333,
      grossCents: 333,
      commissionBasisPoints: 2500,
      workerIds: ['w'],
    }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 250 (agent a, worker w, task t)',
      'liab:escrow > rev:commission 83 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease of a part: the rest is refunded to the agent',
    escrowRelease({ ...book, ...wallet, grossCents: 333, workerIds: ['w'] }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 274 (agent a, worker w, task t)',
      'liab:escrow > rev:commission 59 (agent a, task t)',
      'liab:escrow > agent 667 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease of a part of a free task: the rest returns to the fund',
    escrowRelease({ ...book, ...free, grossCents: 500, workerIds: ['w'] }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 410 (agent a, worker w, task t)',
      'liab:escrow > rev:commission 90 (agent a, task t)',
      'liab:escrow > exp:promo 500 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease of 3 cents to five workers: no commission, and two get nothing',
    escrowRelease({
      ...book,
      ...wallet,
      lockedCents: 3,
      grossCents: 3,
      workerIds: ['v', 'w', 'x', 'y', 'z'],
    }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 1 (agent a, worker v, task t)',
      'liab:escrow > liab:worker_payable 1 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 1 (agent a, worker x, task t)',
    ],
  ],
  [
    'escrowRelease of 833 to three workers, one for half a share: 274, 137, 273 and 149',
    escrowRelease({
      ...book,
      ...wallet,
      grossCents: 833,
      workerIds: ['w', 'x', 'y'],
      percents: [100, 50, 100],
    }),
    'task:t:settle',
    'escrow_release',
    [
      'liab:escrow > liab:worker_payable 274 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 137 (agent a, worker x, task t)',
      'liab:escrow > liab:worker_payable 273 (agent a, worker y, task t)',
      'liab:escrow > rev:commission 149 (agent a, task t)',
      'liab:escrow > agent 167 (agent a, task t)',
    ],
  ],
  [
    'escrowRelease to a worker who has earned nothing: all of it is refunded',
    escrowRelease({ ...book, ...wallet, grossCents: 0, workerIds: ['w'], percents: [0] }),
    'task:t:settle',
    'escrow_release',
    ['liab:escrow > agent 1000 (agent a, task t)'],
  ],
  [
    'cancelCompensation of two holders: no commission, the rest is refunded to the agent',
    cancelCompensation({
      ...book,
      ...wallet,
      holders: [
        { workerId: 'w', cents: 100 },
        { workerId: 'x', cents: 100 },
      ],
    }),
    'task:t:settle',
    'cancel_compensation',
    [
      'liab:escrow > liab:worker_payable 100 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 100 (agent a, worker x, task t)',
      'liab:escrow > agent 800 (agent a, task t)',
    ],
  ],
  [
    'cancelCompensation with a proof that is paid in full, less commission',
    cancelCompensation({
      ...book,
      ...wallet,
      holders: [
        { workerId: 'w', cents: 410 },
        { workerId: 'x', cents: 150 },
      ],
      commissionCents: 90,
    }),
    'task:t:settle',
    'cancel_compensation',
    [
      'liab:escrow > liab:worker_payable 410 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 150 (agent a, worker x, task t)',
      'liab:escrow > rev:commission 90 (agent a, task t)',
      'liab:escrow > agent 350 (agent a, task t)',
    ],
  ],
  [
    'cancelCompensation of a free task: the rest returns to the fund',
    cancelCompensation({ ...book, ...free, holders: [{ workerId: 'w', cents: 300 }] }),
    'task:t:settle',
    'cancel_compensation',
    [
      'liab:escrow > liab:worker_payable 300 (agent a, worker w, task t)',
      'liab:escrow > exp:promo 700 (agent a, task t)',
    ],
  ],
  [
    'cancelCompensation of a small budget: the holder gets all of it',
    cancelCompensation({
      ...book,
      ...wallet,
      lockedCents: 90,
      holders: [{ workerId: 'w', cents: 90 }],
    }),
    'task:t:settle',
    'cancel_compensation',
    ['liab:escrow > liab:worker_payable 90 (agent a, worker w, task t)'],
  ],
  [
    'escrowRefund',
    escrowRefund({ ...book, ...wallet }),
    'task:t:settle',
    'escrow_refund',
    ['liab:escrow > agent 1000 (agent a, task t)'],
  ],
  [
    'escrowRefund of a free task',
    escrowRefund({ ...book, ...free }),
    'task:t:settle',
    'free_task_return',
    ['liab:escrow > exp:promo 1000 (agent a, task t)'],
  ],
  [
    'tip',
    tip({ ...book, taskId: 't', agentId: 'a', tips: [{ workerId: 'w', cents: 100 }] }),
    'task:t:tip',
    'tip',
    [
      'liab:agent_wallet > liab:escrow 100 (agent a, task t)',
      'liab:escrow > liab:worker_payable 100 (agent a, worker w, task t)',
    ],
  ],
  [
    'tip for several workers: debits the wallet once',
    tip({
      ...book,
      taskId: 't',
      agentId: 'a',
      tips: [
        { workerId: 'w', cents: 51 },
        { workerId: 'x', cents: 50 },
        { workerId: 'y', cents: 0 },
      ],
    }),
    'task:t:tip',
    'tip',
    [
      'liab:agent_wallet > liab:escrow 101 (agent a, task t)',
      'liab:escrow > liab:worker_payable 51 (agent a, worker w, task t)',
      'liab:escrow > liab:worker_payable 50 (agent a, worker x, task t)',
    ],
  ],
  [
    'goodwill',
    goodwill({ ...book, disputeId: 'q', workerId: 'w', taskId: 't', amountCents: 410 }),
    'task:t:goodwill:w',
    'goodwill',
    ['exp:goodwill > liab:worker_payable 410 (worker w, task t, ref q)'],
  ],
  [
    'appealDebit',
    appealDebit({
      ...book,
      disputeId: 'q',
      agentId: 'a',
      workerId: 'w',
      taskId: 't',
      amountCents: 500,
    }),
    'task:t:appeal:w',
    'appeal_debit',
    ['agent > exp:goodwill 500 (agent a, worker w, task t, ref q)'],
  ],
  [
    'payoutRequested',
    payoutRequested(payout),
    'payout:p:requested',
    'payout_requested',
    ['liab:worker_payable > liab:payout_in_transit 700 (worker w, ref p)'],
  ],
  [
    'payoutPaid',
    payoutPaid(payout),
    'payout:p:paid',
    'payout_paid',
    ['liab:payout_in_transit > asset:processor_balance 700 (worker w, ref p)'],
  ],
  [
    'payoutFailed',
    payoutFailed(payout),
    'payout:p:failed',
    'payout_failed',
    ['liab:payout_in_transit > liab:worker_payable 700 (worker w, ref p)'],
  ],
  [
    'payoutReversed',
    payoutReversed({ ...payout, balanceTransactionId: 'b' }),
    'bt:b',
    'payout_reversed',
    ['asset:processor_balance > liab:worker_payable 700 (worker w, ref p)'],
  ],
  [
    'payoutReversed to the defrauded agent',
    payoutReversed({ ...payout, balanceTransactionId: 'b', to: 'agent', agentId: 'a' }),
    'bt:b',
    'payout_reversed',
    ['asset:processor_balance > agent 700 (agent a, worker w, ref p)'],
  ],
  [
    'payoutReversed to our losses',
    payoutReversed({ ...payout, balanceTransactionId: 'b', to: 'losses' }),
    'bt:b',
    'payout_reversed',
    ['asset:processor_balance > exp:bad_debt 700 (worker w, ref p)'],
  ],
  [
    'refundRequested',
    refundRequested(refund),
    'refund:r:requested',
    'refund_requested',
    ['liab:agent_wallet > liab:refund_in_transit 700 (agent a, ref r)'],
  ],
  [
    'refundPaid',
    refundPaid(refund),
    'refund:r:paid',
    'refund',
    ['liab:refund_in_transit > asset:processor_balance 700 (agent a, ref r)'],
  ],
  [
    'refundRejected',
    refundRejected(refund),
    'refund:r:rejected',
    'refund_rejected',
    ['liab:refund_in_transit > agent 700 (agent a, ref r)'],
  ],
  [
    'refundFailed',
    refundFailed(refund),
    'refund:r:failed',
    'refund_failed',
    ['asset:processor_balance > agent 700 (agent a, ref r)'],
  ],
  [
    'refundOutside',
    refundOutside({ ...bt, agentId: 'a' }),
    'bt:b',
    'refund_outside',
    ['agent > asset:processor_balance 300 (agent a, ref b)'],
  ],
  [
    'chargeback',
    chargeback({ ...bt, agentId: 'a', feeCents: 1500 }),
    'bt:b',
    'chargeback',
    [
      'agent > asset:processor_balance 300 (agent a, ref b)',
      'exp:dispute_fees > asset:processor_balance 1500 (ref b)',
    ],
  ],
  [
    'chargeback without a fee',
    chargeback({ ...bt, agentId: 'a', feeCents: 0 }),
    'bt:b',
    'chargeback',
    ['agent > asset:processor_balance 300 (agent a, ref b)'],
  ],
  [
    'chargebackWon',
    chargebackWon({ ...bt, agentId: 'a' }),
    'bt:b',
    'chargeback_reversal',
    ['asset:processor_balance > agent 300 (agent a, ref b)'],
  ],
  [
    'chargebackWon with a returned fee',
    chargebackWon({ ...bt, agentId: 'a', feeCents: -1500 }),
    'bt:b',
    'chargeback_reversal',
    [
      'asset:processor_balance > agent 300 (agent a, ref b)',
      'asset:processor_balance > exp:dispute_fees 1500 (ref b)',
    ],
  ],
  [
    'writeOff',
    writeOff({ ...book, writeOffId: 'o', agentId: 'a', amountCents: 40 }),
    'writeoff:o',
    'bad_debt',
    ['exp:bad_debt > asset:agent_receivable 40 (agent a, ref o)'],
  ],
  [
    'processorCharge',
    processorCharge(bt),
    'bt:b',
    'processor_charge',
    ['exp:processor_fees > asset:processor_balance 300 (ref b)'],
  ],
  [
    'processorRebate',
    processorRebate(bt),
    'bt:b',
    'processor_rebate',
    ['asset:processor_balance > exp:processor_fees 300 (ref b)'],
  ],
  [
    'processorRebate of a fee',
    processorRebate({ ...bt, isFee: true }),
    'bt:b:fee',
    'processor_rebate',
    ['asset:processor_balance > exp:processor_fees 300 (ref b)'],
  ],
  [
    'operatorFunding',
    operatorFunding(bt),
    'bt:b',
    'operator_funding',
    ['asset:processor_balance > eq:operator_funding 300 (ref b)'],
  ],
  [
    'operatorWithdrawal',
    operatorWithdrawal(bt),
    'bt:b',
    'operator_withdrawal',
    ['eq:operator_withdrawals > asset:processor_balance 300 (ref b)'],
  ],
]

describe('a movement posts exactly this:', () => {
  for (const [name, entry, key, kind, lines] of TABLE)
    test(name, () => {
      assert.equal(entry.key, key)
      assert.equal(entry.kind, kind)
      assert.deepEqual(entry.lines.map(write), lines)
      assert.equal(entry.mode, entry.key.includes('play_money') ? 'test' : 'live')
      assert.equal(entry.shard, 5)
    })
})

describe('the movements', () => {
  const all = TABLE.map(([name, entry]) => ({ name: name.split(' ')[0]!, entry }))

  test('are all in the table above, and so are all kinds', () => {
    const functions = Object.entries(movements)
      .filter(([name, value]) => typeof value === 'function' && !name.endsWith('Keys'))
      .map(([name]) => name)

    assert.deepEqual([...new Set(all.map(({ name }) => name))].sort(), functions.sort())
    assert.deepEqual(
      [...new Set(all.map(({ entry }) => entry.kind))].sort(),
      [...movements.KINDS].sort(),
    )
  })

  test('use the accounts of the chart, and name the owner of each', () => {
    for (const { name, entry } of all)
      for (const line of entry.lines)
        for (const side of [line.debit, line.credit]) {
          const owner = side === 'agent' ? 'agent' : ACCOUNTS[side].owner
          const ids = { agent: line.agentId, worker: line.workerId, task: line.taskId }
          if (owner === 'ref') assert(line.refId, `${name}: ${side}`)
          else if (owner !== 'shard') assert(ids[owner], `${name}: ${side}`)
        }
  })

  test('share a key only if they exclude each other', () => {
    const kinds = Map.groupBy(all, ({ entry }) => entry.key)

    const shared = [...kinds]
      .map(([key, list]) => [key, new Set(list.map(({ name }) => name))] as const)
      .filter(([, names]) => names.size > 1)
    assert.deepEqual(Object.fromEntries(shared.map(([key, names]) => [key, [...names].sort()])), {
      'task:t:settle': ['cancelCompensation', 'escrowRefund', 'escrowRelease'],
      'suspense:b:resolved': [
        'suspenseRefund',
        'suspenseToAgent',
        'suspenseToOperator',
        'suspenseToPayout',
      ],
      'bt:b:fee': ['processorFee', 'processorRebate'],
      // A line of the processor's own list can be only one of these.
      'bt:b': [
        'chargeback',
        'chargebackWon',
        'operatorFunding',
        'operatorWithdrawal',
        'payoutReversed',
        'processorCharge',
        'processorRebate',
        'refundOutside',
        'unmatchedPayment',
        'unmatchedReceipt',
      ],
    })
  })

  test('of a task are found by its keys', () => {
    const keys = all.map(({ entry }) => entry.key).filter((key) => key.startsWith('task:'))

    const { from, before } = movements.taskKeys('t')
    for (const key of keys) assert(from <= key && key < before, key)
  })

  test('of the processor’s balance are found by its keys, and no others', () => {
    const moving = all
      .filter(({ entry }) => entry.mode === 'live')
      .filter(({ entry }) =>
        entry.lines.some(({ debit, credit }) => `${debit} ${credit}`.includes('processor_balance')),
      )
      .map(({ entry }) => entry.key)
    const keys = movements.processorKeys({
      balanceTransactionId: 'b',
      depositId: 'd',
      payoutId: 'p',
      refundId: 'r',
      failedRefundId: 'r',
      suspenseId: 'b',
    })

    assert.deepEqual(keys.sort(), [...new Set(moving)].sort())
    assert.deepEqual(movements.processorKeys({ balanceTransactionId: 'b' }), ['bt:b', 'bt:b:fee'])
  })

  test('list first the lines that can run short', () => {
    const canRunShort = ['liab:agent_wallet', 'liab:worker_payable', 'transit']

    for (const { name, entry } of all)
      for (const line of entry.lines.slice(1))
        assert(!canRunShort.some((account) => line.debit.includes(account)), name)
  })

  test('never compensate with more than was locked', () => {
    const holders = [
      { workerId: 'w', cents: 600 },
      { workerId: 'x', cents: 401 },
    ]

    assert.throws(() => cancelCompensation({ ...book, ...wallet, holders }))
  })

  test('release any escrow to the cent, for any number of workers', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 25_000_000 }),
        fc.double({ min: 0, max: 1, noNaN: true }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom(wallet, free),
        (lockedCents, part, workers, task) => {
          const grossCents = Math.floor(lockedCents * part)
          const { lines } = escrowRelease({
            ...book,
            ...task,
            lockedCents,
            grossCents,
            workerIds: Array.from({ length: workers }, (_, i) => `w${i}`),
          })
          const cents = (credit: string) =>
            lines.filter((line) => line.credit === credit).map(({ amountCents }) => amountCents)
          const total = (list: number[]) => list.reduce((sum, amount) => sum + amount, 0)
          const shares = cents('liab:worker_payable')
          const commission = total(cents('rev:commission'))

          assert(lines.every(({ amountCents }) => Number.isSafeInteger(amountCents)))
          assert(
            lines.every(({ amountCents, debit }) => amountCents > 0 && debit === 'liab:escrow'),
          )
          assert.equal(total(lines.map(({ amountCents }) => amountCents)), lockedCents)
          assert.equal(BigInt(commission), (BigInt(grossCents) * 18n) / 100n)
          assert.equal(total(shares), grossCents - commission)
          assert(shares.length === 0 || shares[0]! - shares.at(-1)! <= 1)
          assert.deepEqual(
            shares,
            shares.toSorted((a, b) => b - a),
          )
        },
      ),
    )
  })
})

function write({ debit, credit, amountCents, ...of }: Line): string {
  const owners = (['agent', 'worker', 'task', 'ref'] as const).flatMap((name) =>
    of[`${name}Id`] === undefined ? [] : [`${name} ${of[`${name}Id`]}`],
  )
  return `${debit} > ${credit} ${amountCents} (${owners.join(', ')})`
}
