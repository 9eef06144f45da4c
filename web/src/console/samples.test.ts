import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { curlOf, typescriptOf } from './samples.ts'

describe('a call as one would write it', () => {
  test('as curl, with the name of the key and never the key', () => {
    assert.equal(
      curlOf({ method: 'GET', path: '/tasks' }, 'https://legwork.example/api/v1'),
      'curl https://legwork.example/api/v1/tasks \\\n  -H "Authorization: Bearer $LEGWORK_API_KEY"',
    )
  })

  test('as curl, a quote in a text stays within it', () => {
    const said = curlOf({ method: 'POST', path: '/verify', body: { question: "Joe's" } }, '')

    assert.match(said, /-d '\{\n {2}"question": "Joe'\\''s"\n\}'/)
  })

  test('as TypeScript, by the method that belongs to the address', () => {
    const said = typescriptOf({
      method: 'POST',
      path: '/gut-check',
      body: { content: 'A “logo”', scale: '1-10', consensus: 3, context: { sim: 'happy' } },
    })

    assert.match(said, /await legwork\.gutCheck\(\{\n {2}content: 'A “logo”',\n {2}scale: '1-10',/)
    assert.match(said, /context: \{\n {4}sim: 'happy',\n {2}\},\n\}\)/)
  })
})
