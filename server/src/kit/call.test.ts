import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { freshDatabase } from '../../test/harness.ts'
import { call, callForValue } from './call.ts'
import { openDb } from './db.ts'
import type { IdempotencyClaim, LedgerLine, TaskMove } from './functions.ts'

const db = openDb(await freshDatabase(1), { onError: assert.ifError })
after(() => db.close())

const now = new Date('2025-01-15T12:00:00Z')
const CLAIM: IdempotencyClaim = {
  item: 1,
  principal: 'someone',
  key_hash: 'hash',
  fingerprint: 'print',
  status: 200,
  answer: '{"a": "ü"}',
}

describe('a call', () => {
  test('passes rows by field name and returns typed rows, in a transaction or without one', async () => {
    const stored = await callForValue(db, 'idempotency_store', { p_now: now, p_claims: [CLAIM] })
    const found = await db.transaction((tx) =>
      call(tx, 'idempotency_find', { p_now: now, p_claims: [CLAIM] }),
    )

    assert.equal(stored, 1)
    assert.deepEqual(found, [{ item: 1, outcome: 'replayed', status: 200, answer: CLAIM.answer }])
  })

  test('passes an empty list, and an undefined field as null', async () => {
    const none = await call(db, 'idempotency_find', { p_now: now, p_claims: [] })
    const reserved = { ...CLAIM, key_hash: 'other', status: undefined, answer: undefined }
    await call(db, 'idempotency_store', { p_now: now, p_claims: [reserved] })
    const found = await call(db, 'idempotency_find', { p_now: now, p_claims: [reserved] })

    assert.deepEqual(none, [])
    assert.deepEqual(found, [{ item: 1, outcome: 'in_progress', status: null, answer: null }])
  })

  test('is refused by the database if a value is not of its type', async () => {
    const line = { item: 1, entry: 1, kind: 'deposit', mode: 'neither' } as unknown as LedgerLine

    await assert.rejects(
      call(db, 'ledger_post', { p_now: now, p_lines: [line] }),
      /invalid input value for enum agent_mode: "neither"/,
    )
  })
})

test('a wrong field, a missing one and a swapped list do not compile', () => {
  // The check `types` fails if one of these lines compiles.
  const misuse = (move: TaskMove, line: LedgerLine) => [
    // @ts-expect-error Unknown field.
    (): IdempotencyClaim => ({ ...CLAIM, keyHash: 'hash' }),
    // @ts-expect-error Missing fields.
    (): IdempotencyClaim => ({ item: 1, principal: 'someone' }),
    // @ts-expect-error Wrong type.
    (): IdempotencyClaim => ({ ...CLAIM, status: '200' }),
    // @ts-expect-error A list of other rows.
    () => call(db, 'ledger_post', { p_now: now, p_lines: [move] }),
    // @ts-expect-error A missing argument.
    () => call(db, 'ledger_post', { p_lines: [line] }),
    // @ts-expect-error A function that returns rows.
    () => callForValue(db, 'ledger_post', { p_now: now, p_lines: [line] }),
  ]

  assert.equal(typeof misuse, 'function')
})
