import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import {
  alreadyRegistered,
  type Mail,
  passwordReset,
  type Receiver,
  receiverDisabled,
  receiverFailing,
  verification,
} from './templates.ts'

const LINK = 'https://legwork.example/verify?token=abc'

const receiver: Receiver = {
  host: 'hooks.acme.example',
  agentId: 'agent_x',
  mode: 'live',
  error: 'it responded with status 503',
  commands: { ping: 'curl ping \\\n  -H key', readdress: 'curl patch', replay: 'curl replay' },
}
const since = new Date('2026-11-12T10:15:00Z')
const day5 = new Date('2026-11-17T10:15:00Z')

describe('a mail', () => {
  for (const [words, mail, life] of [
    ['that asks to confirm an address', verification({ link: LINK, hours: 24 }), 'for 24 hours'],
    ['to a new password', passwordReset({ link: LINK, minutes: 30 }), 'once, for 30 minutes'],
    [
      'to somebody who is already registered',
      alreadyRegistered({ link: LINK }),
      'nothing else to do',
    ],
  ] as const)
    test(`${words} says what happened, what to do, when the link expires, and what if it was not you`, () => {
      assert(mail.subject.length > 10 && mail.subject.length < 70)
      assert.match(mail.text, /^Hello,\n\nSomeone, most likely you, (?:registered|requested) /)
      assert(mail.text.includes(`\n\n${LINK}\n\n`), 'the link is alone on its line')
      assert(mail.text.includes(life))
      assert.match(mail.text, /\n\nIf this wasn’t you, ignore this email: /)
      assertSameInHtml(mail)
    })

  test('about a failing receiver says since when, why, what is queued, what to do and what comes next', () => {
    const mail = receiverFailing({ ...receiver, since, endsAt: day5, waiting: '214 events' })

    assert.equal(mail.subject, 'Your webhook receiver has been failing for three days')
    assert.match(
      mail.text,
      /^Hello,\n\nSince 12 November 2026 at 10:15 UTC, every delivery to .* at hooks\.acme\.example has failed\.\n/,
    )
    for (const fact of [
      '\n- Agent: agent_x, live mode\n- Last error: it responded with status 503\n- Waiting: 214 events\n',
      '\n\n    curl ping \\\n      -H key\n\n',
      '\n\n    curl replay\n\n',
      'If the receiver keeps failing until 17 November 2026 at 10:15 UTC, we stop sending.',
      'GET /api/v1/webhooks/deliveries',
      'If you have no agent at Legwork, ignore this email',
    ])
      assert(mail.text.includes(fact), fact)
    assertSameInHtml(mail)
  })

  test('about a disabled receiver says why, and how to enable it', () => {
    const failing = receiverDisabled({ ...receiver, why: 'failing', at: day5 })
    const gone = receiverDisabled({ ...receiver, why: 'gone', at: day5 })

    for (const mail of [failing, gone]) {
      assert.equal(mail.subject, 'We no longer send webhooks to your receiver')
      assert(mail.text.includes('On 17 November 2026 at 10:15 UTC we stopped sending to it.'))
      const commands = ['curl ping', 'curl patch', 'curl replay'].map((one) =>
        mail.text.indexOf(`\n\n    ${one}`),
      )
      assert(
        commands.every((at, i) => at > (commands[i - 1] ?? 0)),
        'in this order',
      )
      assertSameInHtml(mail)
    }
    assert.match(failing.text, /\n\nFor five days, every delivery /)
    assert.match(gone.text, /responded with 410 Gone, which tells us to stop sending\./)
  })

  test('about a callback URL offers no other URL, because it belongs to the task', () => {
    const { readdress: _, ...commands } = receiver.commands
    const mail = receiverDisabled({ ...receiver, commands, why: 'failing', at: day5 })

    assert(!mail.text.includes('another URL'))
    assert(mail.text.includes('curl ping') && mail.text.includes('curl replay'))
  })

  test('has no pictures, scripts or external content', () => {
    const { html } = verification({ link: LINK, hours: 24 })

    assert.doesNotMatch(html, /<(?:img|script|link|iframe|object)|url\(|@import/)
    assert.deepEqual([...new Set(html.match(/https?:[^"<]+/g))], [LINK])
  })

  test('escapes its values', () => {
    const { html } = verification({ link: `https://x.example/"><script>'&`, hours: 1 })
    const failing = receiverFailing({
      ...receiver,
      host: '<b>',
      error: '<i>',
      commands: { ping: '<u>', replay: '<s>' },
      since,
      endsAt: day5,
      waiting: '0 events',
    })

    assert(html.includes('https://x.example/&quot;&gt;&lt;script&gt;&#39;&amp;'))
    assert(!html.includes('<script>'))
    assert(html.includes('for 1 hour.'))
    assert.doesNotMatch(failing.html, /<[bius]>/)
  })
})

/** Asserts that every line of the text is in the HTML, too. */
function assertSameInHtml({ text, html }: Mail): void {
  for (const line of text.trim().split('\n').filter(Boolean)) {
    const words = line.replace(/^(?:- | {4})/, '').replaceAll("'", '&#39;')
    assert(html.includes(words), line)
  }
}
