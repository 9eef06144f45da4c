import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addUp, earliest, mergeSorted, orderBy } from './everywhere.ts'

describe('addUp', () => {
  test('adds two parts field by field, and leaves out other fields', () => {
    const parts = [
      { count: 1, cents: 250, shard: 0 },
      { count: 2, cents: -50, shard: 1 },
    ]

    assert.deepEqual(addUp(['count', 'cents'], parts), { count: 3, cents: 200 })
  })

  test('is zero without parts', () => {
    assert.deepEqual(addUp(['count'], []), { count: 0 })
  })
})

describe('earliest', () => {
  const [first, second] = [new Date(1000), new Date(2000)]

  test('ignores parts without a time', () => {
    assert.deepEqual(earliest([second, null, first]), first)
  })

  test('is null if no part has a time', () => {
    assert.equal(earliest([null, null]), null)
    assert.equal(earliest([]), null)
  })
})

describe('mergeSorted', () => {
  interface Row {
    id: string
    at: Date | null
    weight: number
  }
  const row = (id: string, ms: number | null, weight = 0): Row => ({
    id,
    at: ms === null ? null : new Date(ms),
    weight,
  })
  const byTime = orderBy<Row>(
    ({ at }) => at,
    ({ id }) => id,
  )
  const idsOf = (rows: Row[]) => rows.map(({ id }) => id)

  test('merges two sorted lists and an empty one', () => {
    const parts = [[row('a', 1), row('d', 4)], [], [row('b', 2), row('c', 3)]]

    assert.deepEqual(idsOf(mergeSorted(byTime, parts)), ['a', 'b', 'c', 'd'])
  })

  test('breaks a tie by the next key', () => {
    const parts = [[row('b', 1)], [row('a', 1), row('c', 1)]]

    assert.deepEqual(idsOf(mergeSorted(byTime, parts)), ['a', 'b', 'c'])
  })

  test('ends at the limit, wherever the first rows are', () => {
    const parts = [
      [row('c', 3), row('d', 4)],
      [row('a', 1), row('b', 2)],
    ]

    assert.deepEqual(idsOf(mergeSorted(byTime, parts, 2)), ['a', 'b'])
    assert.deepEqual(idsOf(mergeSorted(byTime, parts, 3)), ['a', 'b', 'c'])
  })

  test('puts rows without a time last, as the database does', () => {
    const parts = [[row('a', null)], [row('b', 9)]]

    assert.deepEqual(idsOf(mergeSorted(byTime, parts)), ['b', 'a'])
  })

  test('sorts descending by a negated number', () => {
    const order = orderBy<Row>(
      ({ weight }) => -weight,
      ({ id }) => id,
    )
    const parts = [[row('a', 1, 2)], [row('b', 1, 3), row('c', 1, 2)]]

    assert.deepEqual(idsOf(mergeSorted(order, parts)), ['b', 'a', 'c'])
  })
})
