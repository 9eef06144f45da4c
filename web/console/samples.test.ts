import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { describe, test } from 'node:test'
import { curlOf, SDK_METHODS, typescriptOf } from './samples.ts'

describe('a call as a code sample', () => {
  test('the curl sample names the variable of the key and never contains the key', () => {
    assert.equal(
      curlOf({ method: 'GET', path: '/tasks' }, 'https://legwork.example/api/v1'),
      'curl https://legwork.example/api/v1/tasks \\\n  -H "Authorization: Bearer $LEGWORK_API_KEY"',
    )
  })

  test('the curl sample quotes a URL as one shell word', () => {
    const asked = curlOf(
      { method: 'GET', path: '/events?after=latest&wait=30' },
      'https://a.example',
    )
    const hostile = curlOf({ method: 'GET', path: '/tasks/$(date)`date`' }, 'https://a.example')
    const named = curlOf({ method: 'POST', path: '/tasks/$TASK_ID/approve' }, 'https://a.example')

    assert.match(asked, /^curl 'https:\/\/a\.example\/events\?after=latest&wait=30' \\\n/)
    assert.match(hostile, /^curl 'https:\/\/a\.example\/tasks\/\$\(date\)`date`' /)
    assert.match(named, /^curl -X POST "https:\/\/a\.example\/tasks\/\$TASK_ID\/approve" \\\n/)
  })

  test('the curl sample escapes quotes in a text', () => {
    const said = curlOf({ method: 'POST', path: '/verify', body: { question: "Joe's" } }, '')

    assert.match(said, /\n {2}-d '\{\n {4}"question": "Joe'\\''s"\n {2}\}'/)
  })

  test('the TypeScript sample calls the SDK method of the endpoint', () => {
    const said = typescriptOf({
      method: 'POST',
      path: '/gut-check',
      body: { content: 'A “logo”', scale: '1-10', consensus: 3, context: { sim: 'happy' } },
    })

    assert(said !== undefined)
    assert.match(said, /await legwork\.gutCheck\(\{\n {2}content: 'A “logo”',\n {2}scale: '1-10',/)
    assert.match(said, /context: \{\n {4}sim: 'happy',\n {2}\},\n\}\)/)
  })

  test('the TypeScript sample passes the id first', () => {
    const dispute = typescriptOf({
      method: 'POST',
      path: '/tasks/task_1/dispute',
      body: { reason: 'Blurred' },
    })
    const list = typescriptOf({ method: 'GET', path: '/tasks?limit=5&status=pending' })

    assert.match(dispute!, /legwork\.tasks\.dispute\('task_1', \{\n {2}reason: 'Blurred',\n\}\)/)
    assert.match(list!, /legwork\.tasks\.list\(\{\n {2}limit: 5,\n {2}status: 'pending',\n\}\)/)
  })

  test('there is no TypeScript sample if the SDK has no method or the body was truncated', () => {
    assert.equal(typescriptOf({ method: 'POST', path: '/tasks/a/b/approve' }), undefined)
    assert.equal(typescriptOf({ method: 'POST', path: '/nothing', body: {} }), undefined)
    assert.equal(typescriptOf({ method: 'POST', path: '/verify', body: '{"ques' }), undefined)
  })

  test('every method in the table is the SDK method of that endpoint', () => {
    const folder = path.join(import.meta.dirname, '../../sdk/src')
    const source = readdirSync(folder)
      .filter((name) => name !== 'types.ts')
      .map((name) => readFileSync(path.join(folder, name), 'utf8'))
      .join('\n')
    const wrong = Object.entries(SDK_METHODS).filter(
      ([route, name]) =>
        !source.includes(`'${route}'`) ||
        !new RegExp(`^ {2}(async )?${name.split('.').at(-1)}\\(`, 'm').test(source),
    )

    assert.deepEqual(wrong, [])
  })
})
