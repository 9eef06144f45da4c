import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import {
  databaseOf,
  firstIdAt,
  idPattern,
  mintId,
  type Prefix,
  SHARDS,
  shardOf,
  siblingId,
  timeOf,
} from './ids.ts'

const PREFIXES: Prefix[] = ['agent', 'worker', 'task', 'txn', 'evt', 'key', 'req']

const prefix = fc.constantFrom(...PREFIXES)
const shard = fc.integer({ min: 0, max: SHARDS - 1 })
const time = fc.date({
  min: new Date(0),
  max: new Date('9999-12-31T23:59:59.999Z'),
  noInvalidDate: true,
})

describe('an id', () => {
  test('is a prefix and 26 letters without i, l, o and u', () => {
    fc.assert(
      fc.property(prefix, time, shard, (name, at, of) => {
        const id = mintId(name, at, of)

        assert.match(id, idPattern(name))
        assert.match(id, new RegExp(`^${name}_[0-9abcdefghjkmnpqrstvwxyz]{26}$`))
      }),
    )
  })

  test('sorts after the first id of its time, and before that of the next millisecond', () => {
    fc.assert(
      fc.property(prefix, time, shard, (name, at, of) => {
        const id = mintId(name, at, of)

        assert(firstIdAt(name, at) <= id)
        assert(id < firstIdAt(name, new Date(at.getTime() + 1)))
      }),
    )
  })

  test('is a UUIDv7: time, version and variant are where RFC 9562 puts them', () => {
    const at = new Date('2026-03-04T05:06:07.089Z')

    const hex = hexOf(mintId('task', at, 0xabc))

    assert.equal(Number.parseInt(hex.slice(0, 12), 16), at.getTime())
    assert.equal(hex.slice(12, 16), '7abc')
    assert.match(hex.slice(16, 17), /[89ab]/)
  })

  test('contains its shard', () => {
    fc.assert(
      fc.property(prefix, time, shard, (name, at, of) => {
        assert.equal(shardOf(mintId(name, at, of)), of)
      }),
    )
  })

  test('contains its creation time, to the millisecond', () => {
    fc.assert(
      fc.property(prefix, time, shard, (name, at, of) => {
        assert.deepEqual(timeOf(mintId(name, at, of)), at)
      }),
    )
  })

  test('sorts as text by time, whatever its shard', () => {
    fc.assert(
      fc.property(prefix, time, time, shard, shard, (name, a, b, ofA, ofB) => {
        fc.pre(a.getTime() < b.getTime())

        assert(mintId(name, a, ofA) < mintId(name, b, ofB))
      }),
    )
  })

  test('is unique, even within a millisecond and past the random buffer', () => {
    const at = new Date()

    const ids = Array.from({ length: 5000 }, () => mintId('task', at, 7))

    assert.equal(new Set(ids).size, ids.length)
  })

  test('of another kind, length or alphabet does not match the pattern', () => {
    const id = mintId('task', new Date(), 1)

    for (const wrong of [
      id.replace('task_', 'agent_'),
      id.slice(0, -1),
      `${id}0`,
      `${id}\n`,
      id.toUpperCase(),
      `${id.slice(0, -1)}i`,
      `${id.slice(0, -1)}l`,
      `${id.slice(0, -1)}o`,
      `${id.slice(0, -1)}u`,
      ` ${id}`,
    ])
      assert.doesNotMatch(wrong, idPattern('task'))
  })
})

describe('a sibling', () => {
  test('is the next id after an even one, in the same shard, and the relation is mutual', () => {
    fc.assert(
      fc.property(time, shard, (at, of) => {
        const id = mintId('txn', at, of)

        const sibling = siblingId(id)

        assert.equal(BigInt(`0x${hexOf(id)}`) % 2n, 0n)
        assert.equal(BigInt(`0x${hexOf(sibling)}`), BigInt(`0x${hexOf(id)}`) + 1n)
        assert(sibling > id)
        assert.equal(shardOf(sibling), of)
        assert.equal(siblingId(sibling), id)
      }),
    )
  })
})

describe('the database of a shard', () => {
  test('is assigned in even ranges, in the order of the shards', () => {
    for (const databases of [1, 2, 3, 16, 100, SHARDS]) {
      const places = Array.from({ length: SHARDS }, (_, i) => databaseOf(i, databases))

      const sizes = [...Map.groupBy(places, (place) => place).values()].map(({ length }) => length)
      assert.deepEqual(
        places,
        places.toSorted((a, b) => a - b),
      )
      assert.equal(places.at(-1), databases - 1)
      assert.equal(sizes.length, databases)
      assert(Math.max(...sizes) - Math.min(...sizes) <= 1)
    }
  })
})

/** The 128 bits of an id, decoded character by character: 26 characters hold two more bits, which are zero. */
function hexOf(id: string): string {
  const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
  const letters = id.slice(id.indexOf('_') + 1)
  const value = [...letters].reduce(
    (sum, letter) => sum * 32n + BigInt(alphabet.indexOf(letter)),
    0n,
  )
  return value.toString(16).padStart(32, '0')
}
