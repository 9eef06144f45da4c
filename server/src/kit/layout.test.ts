import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SHARDS } from './ids.ts'
import { finderOf, schemasOf } from './layout.ts'

test('one schema holds everything', () => {
  assert.deepEqual(
    schemasOf(1).map(({ name, homes }) => [name, homes]),
    [['public', ['types', 'shard', 'global', 'feed']]],
  )
})

test('several schemas hold every logical shard once, in even ranges', () => {
  for (const count of [2, 16, 256]) {
    const schemas = schemasOf(count).filter(({ range }) => range !== undefined)
    const find = finderOf(schemas as { name: string; range: readonly [number, number] }[])
    const found = Array.from({ length: SHARDS }, (_, shard) => find(shard).name)
    assert.equal(new Set(found).size, count)
    assert.deepEqual(found, found.toSorted())
    assert.equal(found.filter((name) => name === found[0]).length, SHARDS / count)
  }
})

test('the number of schemas is a power of two', () => {
  for (const count of [0, 3, 12, 8192]) assert.throws(() => schemasOf(count), /power of two/)
})
