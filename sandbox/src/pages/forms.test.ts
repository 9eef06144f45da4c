import assert from 'node:assert/strict'
import { test } from 'node:test'
import { alert, cookie, cookieOf, field, isFromHere, problemList, readFields } from './forms.ts'

test('a form from another site is refused by Sec-Fetch-Site, or else by Origin', () => {
  const host = '127.0.0.1:12111'
  const cases = [
    [{ host, 'sec-fetch-site': 'same-origin' }, true],
    [{ host, 'sec-fetch-site': 'same-site' }, false],
    [{ host, 'sec-fetch-site': 'cross-site' }, false],
    [{ host, 'sec-fetch-site': 'cross-site', origin: `http://${host}` }, false],
    [{ host, origin: `http://${host}` }, true],
    [{ host, origin: 'https://evil.example' }, false],
    [{ host, origin: 'http://127.0.0.1:9999' }, false],
    [{ host, origin: 'null' }, false],
    [{ host }, true],
  ] as const
  for (const [headers, isOurs] of cases)
    assert.equal(isFromHere(headers), isOurs, JSON.stringify(headers))
})

test('fields are trimmed, bounded, and empty when missing', () => {
  const fields = readFields(`name=+Ann+&name=Other&long=${'x'.repeat(600)}`)

  assert.equal(fields('name'), 'Ann')
  assert.equal(fields('missing'), '')
  assert.equal(fields('long').length, 500)
})

test('a cookie is SameSite and HttpOnly, and is found among others', () => {
  assert.equal(
    cookie('a', 'b.c', { path: '/express', seconds: 60, isSecure: true }),
    'a=b.c; Path=/express; Max-Age=60; HttpOnly; SameSite=Lax; Secure',
  )
  assert.equal(cookieOf({ cookie: 'xa=1; a=b.c;aa=2' }, 'a'), 'b.c')
  assert.equal(cookieOf({}, 'a'), undefined)
})

test('a field references its hint and its problem for screen readers', () => {
  const made = field({ name: 'cvc', label: 'CVC', hint: 'On the back', problem: 'Too short' })

  assert.match(made.toString(), /<label for="cvc">CVC<\/label>/)
  assert.match(made.toString(), /aria-describedby="cvc-hint cvc-problem" aria-invalid="true"/)
  assert.match(made.toString(), /id="cvc-problem">.*Too short/)
})

test('problems are an alert that takes the focus and links to each field', () => {
  assert.equal(problemList({}), undefined)
  assert.match(`${String(problemList({ cvc: 'Too short' }))}`, /<a href="#cvc">Too short<\/a>/)
  assert.match(String(alert('x')), /role="alert" tabindex="-1" autofocus/)
})
