import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addHoldings, type ShardHoldings } from './holdings.ts'

describe('addHoldings', () => {
  const part = (of: Partial<ShardHoldings> = {}): ShardHoldings => ({
    ledger_cents: 0,
    wallets_cents: 0,
    escrow_cents: 0,
    payables_cents: 0,
    transits_cents: 0,
    clearing_cents: 0,
    suspense: [],
    ...of,
  })

  test('adds two shards; own funds are what remains of both together', () => {
    const parts = [
      part({ ledger_cents: 10_000, wallets_cents: 3000, escrow_cents: 2500 }),
      part({ ledger_cents: -1500, payables_cents: 800, transits_cents: 700 }),
    ]

    assert.deepEqual(addHoldings(parts, { mirroredCents: 8500 }), {
      ledger_cents: 8500,
      mirrored_cents: 8500,
      wallets_cents: 3000,
      escrow_cents: 2500,
      payables_cents: 800,
      transits_cents: 700,
      clearing_cents: 0,
      suspense_cents: 0,
      own_funds_cents: 1500,
    })
  })

  test('pay on its way to another shard is owed, whichever shard was read first', () => {
    const paid = part({ ledger_cents: 1000, clearing_cents: 800 })
    const notYet = part({ payables_cents: 0 })
    const arrived = part({ payables_cents: 800, clearing_cents: -800 })
    const before = part({ ledger_cents: 1000, escrow_cents: 800 })

    const ownFunds = [
      [before, notYet],
      [paid, notYet],
      [paid, arrived],
      [before, arrived],
    ].map((parts) => addHoldings(parts, { mirroredCents: 1000 }).own_funds_cents)

    assert.deepEqual(ownFunds, [200, 200, 200, 200])
  })

  test('money that left suspense in another shard is owed to nobody there', () => {
    const parts = [
      part({ ledger_cents: 1200, suspense: [{ transaction_id: 'txn_a', cents: 700 }] }),
      part({ wallets_cents: 700, suspense: [{ transaction_id: 'txn_a', cents: -700 }] }),
    ]

    const { suspense_cents, own_funds_cents } = addHoldings(parts, { mirroredCents: 1200 })

    assert.deepEqual([suspense_cents, own_funds_cents], [0, 500])
  })

  test('money that is missing in suspense makes up for nothing', () => {
    const parts = [
      part({ suspense: [{ transaction_id: 'txn_a', cents: -300 }] }),
      part({ ledger_cents: 900, suspense: [{ transaction_id: 'txn_b', cents: 400 }] }),
    ]

    const { suspense_cents, own_funds_cents } = addHoldings(parts, { mirroredCents: 900 })

    assert.deepEqual([suspense_cents, own_funds_cents], [400, 500])
  })
})
