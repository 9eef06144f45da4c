import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTree } from './tree.ts'

const key = (id: string, parent_id: string | null = null) => ({ id, parent_id })

describe('the tree of keys', () => {
  test('has each key below the one that made it', () => {
    const shown = inTree([key('b'), key('c', 'a'), key('d', 'c'), key('a')])

    assert.deepEqual(
      shown.map(({ key: { id }, depth }) => [id, depth]),
      [
        ['b', 0],
        ['a', 0],
        ['c', 1],
        ['d', 2],
      ],
    )
  })

  test('begins with a key whose parent is not seen', () => {
    assert.deepEqual(
      inTree([key('c', 'hidden'), key('d', 'c')]).map(({ depth }) => depth),
      [0, 1],
    )
  })
})
