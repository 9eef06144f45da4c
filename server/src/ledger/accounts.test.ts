import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { ACCOUNTS } from './accounts.ts'

const FOLDER = path.join(import.meta.dirname, '../..')
const CODE = /'((?:asset|liab|rev|exp|eq):\w+)'/g
const codesIn = (file: string) =>
  [...readFileSync(path.join(FOLDER, file), 'utf8').matchAll(CODE)].map(([, code]) => code!)

describe('the chart of accounts', () => {
  test('increases assets and expenses by debits, and liabilities, income and equity by credits', () => {
    const sides: Record<string, string> = {
      asset: 'debit',
      exp: 'debit',
      liab: 'credit',
      rev: 'credit',
      eq: 'credit',
    }

    // The operator's withdrawals reduce its equity.
    for (const [code, { normal }] of Object.entries(ACCOUNTS))
      if (code !== 'eq:operator_withdrawals') assert.equal(normal, sides[code.split(':')[0]!], code)
    assert.equal(ACCOUNTS['eq:operator_withdrawals'].normal, 'debit')
  })

  test('has every account that the SQL, the movements and the audit name', () => {
    const files = [
      'functions/ledger_post.sql',
      'functions/create_tasks.sql',
      'migrations/0003_ledger.sql',
      'src/ledger/movements.ts',
      'src/ledger/audit-checks.ts',
      'src/ledger/invariants.ts',
      'src/ledger/statement.ts',
    ]

    for (const file of files)
      for (const code of codesIn(file)) assert(code in ACCOUNTS, `${file} names ${code}`)
  })

  test('marks the accounts whose balance ledger_post stores', () => {
    const kept = new Set(codesIn('functions/ledger_post.sql'))
    const unkept = ['liab:escrow', 'exp:promo']

    assert.deepEqual(
      [...kept].filter((code) => !unkept.includes(code)).sort(),
      Object.entries(ACCOUNTS)
        .filter(([, { guard }]) => guard === 'balance')
        .map(([code]) => code)
        .sort(),
    )
    assert.equal(ACCOUNTS['liab:escrow'].guard, 'sum')
  })

  test('guards every account with an owner', () => {
    for (const [code, { owner, guard }] of Object.entries(ACCOUNTS))
      assert.equal(guard === 'none', owner === 'shard', code)
  })
})
