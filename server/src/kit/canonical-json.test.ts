import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { canonicalJson } from './canonical-json.ts'

test('fields are sorted at every depth', () => {
  assert.equal(
    canonicalJson({ b: [1, { d: null, c: 'x' }], a: 2 }),
    '{"a":2,"b":[1,{"c":"x","d":null}]}',
  )
})

test('the value stays the same', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(canonicalJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})
