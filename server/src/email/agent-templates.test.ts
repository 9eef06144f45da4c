import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { assertSameInHtml } from '../../test/mails.ts'
import { type Receiver, receiverDisabled, receiverFailing } from './agent-templates.ts'

const receiver: Receiver = {
  host: 'hooks.acme.example',
  agentId: 'agent_x',
  mode: 'live',
  error: 'it responded with status 503',
  commands: { ping: 'curl ping \\\n  -H key', readdress: 'curl patch', replay: 'curl replay' },
}
const since = new Date('2026-11-12T10:15:00Z')
const day5 = new Date('2026-11-17T10:15:00Z')

describe('a mail to an agent', () => {
  test('about a failing receiver says since when, why, what is queued, what to do and what comes next', () => {
    const mail = receiverFailing({ ...receiver, since, endsAt: day5, waiting: '214 events' })

    assert.equal(mail.subject, 'Your webhook receiver has been failing for three days')
    assert.match(
      mail.text,
      /^Hello,\n\nSince November 12, 2026 at 10:15 AM UTC, every delivery to .* at hooks\.acme\.example has failed\.\n/,
    )
    for (const fact of [
      '\n- Agent: agent_x, live mode\n- Last error: it responded with status 503\n- Waiting: 214 events\n',
      '\n\n    curl ping \\\n      -H key\n\n',
      '\n\n    curl replay\n\n',
      'If the receiver keeps failing until November 17, 2026 at 10:15 AM UTC, we stop sending.',
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
      assert(mail.text.includes('On November 17, 2026 at 10:15 AM UTC we stopped sending to it.'))
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

  test('escapes its values', () => {
    const { html } = receiverFailing({
      ...receiver,
      host: '<b>',
      error: '<i>',
      commands: { ping: '<u>', replay: '<s>' },
      since,
      endsAt: day5,
      waiting: '0 events',
    })

    assert.doesNotMatch(html, /<[bius]>/)
  })
})
