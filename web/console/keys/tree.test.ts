import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { inTree } from './tree.ts'

const key = (id: string, parent_id: string | null = null) => ({ id, parent_id })

describe('the key tree', () => {
  test('lists each key below its parent', () => {
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

  test('starts at a key whose parent is not visible', () => {
    assert.deepEqual(
      inTree([key('c', 'hidden'), key('d', 'c')]).map(({ depth }) => depth),
      [0, 1],
    )
  })
})
