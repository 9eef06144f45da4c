import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { prettyJson } from './pretty-json.ts'

test('lists and objects of one field are on one line, all others have a line for each field', () => {
  const text = prettyJson({
    required: ['id', 'name'],
    properties: { id: { type: 'string' }, age: { type: 'integer', minimum: 0 } },
  })

  assert.equal(
    text,
    `{
  "required": ["id", "name"],
  "properties": {
    "id": { "type": "string" },
    "age": {
      "type": "integer",
      "minimum": 0
    }
  }
}`,
  )
})

test('a value longer than a line is broken', () => {
  const long = Array.from({ length: 3 }, (_, i) => `${'x'.repeat(40)}${i}`)

  assert.deepEqual(prettyJson(long).split('\n').length, 5)
})

test('the output parses to the same JSON for any value', () => {
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      assert.deepEqual(JSON.parse(prettyJson(value)), JSON.parse(JSON.stringify(value)))
    }),
  )
})
