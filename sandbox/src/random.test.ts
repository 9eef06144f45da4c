import assert from 'node:assert/strict'
import { test } from 'node:test'
import { newId, seededRandom, shuffled } from './random.ts'

test('ids have one length, are unique, and sort by age', () => {
  const ids = Array.from({ length: 2000 }, () => newId('tr'))

  assert.equal(new Set(ids).size, ids.length)
  assert.deepEqual(ids, ids.toSorted())
  assert(ids.every((id) => /^tr_[0-9A-Za-z]{24}$/.test(id)))
})

test('a shuffle keeps every element, and repeats for the same seed', () => {
  const items = Array.from({ length: 50 }, (_, index) => index)

  const mixed = shuffled(items, seededRandom(3))

  assert.notDeepEqual(mixed, items)
  assert.deepEqual(
    mixed.toSorted((one, other) => one - other),
    items,
  )
  assert.deepEqual(mixed, shuffled(items, seededRandom(3)))
})
