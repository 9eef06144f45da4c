import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { looksLikeEmail, mailAppOf, wayWithin } from './addresses.ts'

test('an email address has a local part, an @ and a host with a dot', () => {
  for (const email of ['ada@example.com', ' a.b+c@mail.example.co.uk ', 'ü@münchen.example'])
    assert(looksLikeEmail(email), email)
  for (const email of [
    '',
    'ada',
    'ada@',
    '@example.com',
    'ada@example',
    'a b@example.com',
    'a@b@c.d',
  ])
    assert(!looksLikeEmail(email), email)
})

describe('the redirect after login', () => {
  for (const [next, way] of [
    [null, '/'],
    ['', '/'],
    ['/active/task_1?step=camera', '/active/task_1?step=camera'],
    ['https://evil.example/', '/'],
    ['//evil.example/', '/'],
    ['/\\evil.example', '/'],
    ['javascript:alert(1)', '/'],
    ['/\t/evil.example', '/'],
  ] as const)
    test(`${JSON.stringify(next)} goes to ${way}`, () => {
      assert.equal(wayWithin(next), way)
    })
})

test('a mail app is offered on phones that can open one', () => {
  assert.equal(mailAppOf('Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X)'), 'message://')
  assert.match(mailAppOf('Mozilla/5.0 (Linux; Android 16)')!, /^intent:.*APP_EMAIL/)
  assert.equal(mailAppOf('Mozilla/5.0 (X11; Linux x86_64)'), undefined)
})
