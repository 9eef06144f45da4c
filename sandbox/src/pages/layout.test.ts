import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { test } from 'node:test'
import { html } from './html.ts'
import { message, outside, seeOther, show } from './layout.ts'

const policyOf = (leadsTo: (string | null)[]) =>
  show({ title: 'x', content: html``, leadsTo }).headers['content-security-policy'] as string

test('a link accepts http and https, and never a script', () => {
  assert.equal(outside('https://legwork.example/wallet'), 'https://legwork.example/wallet')
  assert.equal(outside('http://127.0.0.1:3000'), 'http://127.0.0.1:3000/')
  for (const address of ['javascript:alert(1)', 'data:text/html,x', '/wallet', '', null])
    assert.equal(outside(address), undefined, `${address}`)
})

test('the policy of a page lists each form target once, and no others', () => {
  const policy = policyOf([
    'https://legwork.example/a',
    'https://legwork.example/b',
    'http://127.0.0.1:3000/c',
    'javascript:alert(1)',
    null,
  ])

  assert.match(policy, /form-action 'self' https:\/\/legwork\.example http:\/\/127\.0\.0\.1:3000;/)
  assert.match(policyOf(['http://[::1]:3000/']), /form-action 'self' http:;/)
})

test('the hash in the policy is that of the style', () => {
  const { body, headers } = show({ title: 'x', content: html`` })
  const [, style] = /<style>([^]*?)<\/style>/.exec(body)!

  assert(String(headers['content-security-policy']).includes(hash('sha256', style!, 'base64')))
})

test('every page says that no money moves, and escapes its title', () => {
  const { status, body } = message({ title: '<i>Over</i>', text: 'a & b', status: 410 })

  assert.equal(status, 410)
  assert(body.includes('Sandbox: no real money moves'))
  assert(body.includes('<title>&lt;i&gt;Over&lt;/i&gt; – Legwork sandbox</title>'))
  assert(body.includes('<p>a &amp; b</p>'))
})

test('a form responds with a redirect that is not cached', () => {
  const { status, headers } = seeOther('/express', ['a=b'])

  assert.equal(status, 303)
  assert.deepEqual([headers.location, headers['set-cookie']], ['/express', ['a=b']])
  assert.equal(headers['cache-control'], 'no-store')
})
