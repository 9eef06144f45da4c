import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { breakable, Html, html } from './html.ts'

test('values in a template are escaped in elements and attributes', () => {
  const evil = `<script>alert("1")</script> & 'x'`

  const made = html`<p title="${evil}">${evil}</p>`.toString()

  const escaped = '&lt;script&gt;alert(&quot;1&quot;)&lt;/script&gt; &amp; &#39;x&#39;'
  assert.equal(made, `<p title="${escaped}">${escaped}</p>`)
})

test('no text breaks out of its place', () => {
  fc.assert(
    fc.property(fc.string(), (text) => {
      const inside = html`${text}`.toString()

      assert.doesNotMatch(inside, /[<>"']/)
      assert.doesNotMatch(inside, /&(?!(?:amp|lt|gt|quot|#39);)/)
    }),
  )
})

test('HTML is not escaped again, lists are joined, and missing values are left out', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)

  assert.equal(html`<ul>${items}</ul>`.toString(), '<ul><li>a</li><li>&lt;b&gt;</li></ul>')
  assert.equal(html`${false}${null}${undefined}${0}${''}`.toString(), '0')
  assert.equal(html`${new Html('<br>')}`.toString(), '<br>')
})

test('a long name may wrap after punctuation, and is still escaped', () => {
  assert.equal(breakable('charge.failed').toString(), 'charge.<wbr>failed')
  assert.equal(breakable('a@b.example').toString(), 'a@<wbr>b.<wbr>example')
  assert.equal(breakable('v2[x]').toString(), 'v2<wbr>[x]')
  assert.equal(breakable('<i>.x').toString(), '&lt;i&gt;.<wbr>x')
})
