import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ApiError } from './errors.ts'
import { findAnswer, hashRequest, keepAnswer } from './idempotency.ts'
import { openStore } from './store.ts'
import { PLATFORM, type Tx } from './tx.ts'

const ANSWER = { status: 200, body: '{"id":"tr_1"}', headers: {} }
const REQUEST = { method: 'POST', path: '/v1/transfers', account: PLATFORM, body: 'amount=1' }

function begin() {
  const store = openStore()
  return (now: number): Tx => ({
    store,
    now,
    nowMs: now * 1000,
    account: PLATFORM,
    publicUrl: '',
    request: { id: 'req_1', idempotency_key: 'key' },
  })
}

test('a repeated request with the same key gets the stored response, marked as replayed', () => {
  const at = begin()
  const hash = hashRequest(REQUEST)
  keepAnswer(at(1000), 'key', hash, ANSWER)

  const found = findAnswer(at(1000 + 24 * 3600 - 1), 'key', hash)

  assert.deepEqual(found, {
    ...ANSWER,
    headers: { 'idempotent-replayed': 'true', 'original-request': 'req_1' },
  })
  assert.equal(findAnswer(at(1000), 'other', hash), undefined)
})

test('a key expires after a day, and another request may use it', () => {
  const at = begin()
  const day = 1000 + 24 * 3600
  keepAnswer(at(1000), 'key', hashRequest(REQUEST), ANSWER)

  assert.equal(findAnswer(at(day), 'key', hashRequest(REQUEST)), undefined)
  const other = hashRequest({ ...REQUEST, body: 'amount=2' })
  keepAnswer(at(day), 'key', other, { ...ANSWER, body: '{"id":"tr_2"}' })
  assert.equal(findAnswer(at(day), 'key', other)?.body, '{"id":"tr_2"}')
})

test('400: another method, path, account or body under the same key', () => {
  const at = begin()
  keepAnswer(at(1000), 'key', hashRequest(REQUEST), ANSWER)

  for (const other of [
    { method: 'DELETE' },
    { path: '/v1/refunds' },
    { account: 'acct_1' },
    { body: 'amount=2' },
  ])
    assert.throws(
      () => findAnswer(at(1001), 'key', hashRequest({ ...REQUEST, ...other })),
      (error) =>
        error instanceof ApiError &&
        error.status === 400 &&
        error.body.type === 'idempotency_error',
    )
})
