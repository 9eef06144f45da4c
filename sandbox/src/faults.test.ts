import assert from 'node:assert/strict'
import { test } from 'node:test'
import { addFault, type FaultParams, faultParams, listFaults, takeFault } from './faults.ts'
import { readParams } from './params.ts'
import { openStore } from './store.ts'

const fault = (given: Record<string, unknown>): FaultParams =>
  readParams(faultParams, { match: 'POST /v1/transfers', mode: 'error_before', ...given })

const strikes = (
  store: ReturnType<typeof openStore>,
  count: number,
  request = 'POST /v1/transfers',
) => Array.from({ length: count }, () => takeFault(store, request) !== undefined)

test('a fault strikes once by default, and stays in the list as used up', () => {
  const store = openStore()
  addFault(store, fault({}))

  assert.deepEqual(strikes(store, 3), [true, false, false])
  assert.deepEqual(
    listFaults(store).map(({ struck, remaining }) => ({ struck, remaining })),
    [{ struck: 1, remaining: 0 }],
  )
})

test('a fault matches a prefix or a regular expression, and nothing else', () => {
  const store = openStore()
  addFault(store, fault({ times: 9 }))
  assert.deepEqual(strikes(store, 1, 'POST /v1/transfers/tr_1/reversals'), [true])
  assert.deepEqual(strikes(store, 1, 'GET /v1/transfers'), [false])

  const other = openStore()
  addFault(other, fault({ match: '^POST /v1/transfers$', times: 9 }))
  assert.deepEqual(strikes(other, 1, 'POST /v1/transfers/tr_1/reversals'), [false])
  assert.deepEqual(strikes(other, 1), [true])
})

test('only the first matching fault strikes', () => {
  const store = openStore()
  addFault(store, fault({ mode: 'slow' }))
  addFault(store, fault({ mode: 'html502' }))

  assert.equal(takeFault(store, 'POST /v1/transfers')?.mode, 'slow')
  assert.equal(takeFault(store, 'POST /v1/transfers')?.mode, 'html502')
})

test('a random fault strikes at its probability, and repeats for the same seed', () => {
  const run = (seed: number) => {
    const store = openStore()
    addFault(store, fault({ probability: 0.3, seed }))
    return strikes(store, 1000)
  }

  const first = run(7)

  assert.deepEqual(first, run(7))
  assert.notDeepEqual(first, run(8))
  const hits = first.filter(Boolean).length
  assert(hits > 250 && hits < 350, `${hits} of 1000`)
})
