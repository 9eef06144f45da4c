import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { alreadyRegistered, passwordReset, verification } from './templates.ts'

const LINK = 'https://legwork.example/verify?token=abc'

describe('a mail', () => {
  for (const [words, mail, life] of [
    ['that asks to confirm an address', verification({ link: LINK, hours: 24 }), 'for 24 hours'],
    ['to a new password', passwordReset({ link: LINK, minutes: 30 }), 'once, for 30 minutes'],
    ['to who is registered already', alreadyRegistered({ link: LINK }), 'nothing else to do'],
  ] as const)
    test(`${words} says what happened, what to do, how long the link lives, and what if it was not you`, () => {
      assert(mail.subject.length > 10 && mail.subject.length < 70)
      assert.match(mail.text, /^Hello,\n\nSomeone, most likely you, has /)
      assert(mail.text.includes(`\n\n${LINK}\n\n`), 'the link stands alone on its line')
      assert(mail.text.includes(life))
      assert.match(mail.text, /\n\nIf it was not you, ignore this mail: /)
      for (const paragraph of mail.text.trim().split('\n\n'))
        assert(mail.html.includes(paragraph.replaceAll("'", '&#39;')), paragraph)
    })

  test('needs no pictures and no scripts, and nothing from elsewhere', () => {
    const { html } = verification({ link: LINK, hours: 24 })

    assert.doesNotMatch(html, /<(?:img|script|link|iframe|object)|url\(|@import/)
    assert.deepEqual([...new Set(html.match(/https?:[^"<]+/g))], [LINK])
  })

  test('escapes what it is given', () => {
    const { html } = verification({ link: `https://x.example/"><script>'&`, hours: 1 })

    assert(html.includes('https://x.example/&quot;&gt;&lt;script&gt;&#39;&amp;'))
    assert(!html.includes('<script>'))
    assert(html.includes('for 1 hour.'))
  })
})
