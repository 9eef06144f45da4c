import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { readConfig } from '../server/src/config.ts'
import { closeMail, sendMail } from '../server/src/email/send.ts'
import { startInbox } from './inbox.ts'

const inbox = await startInbox()
const config = readConfig({ SMTP_URL: inbox.smtpUrl })
after(async () => {
  await closeMail(config)
  await inbox.stop()
})

const open = async (path = '/') => {
  const response = await fetch(inbox.address + path)
  return { status: response.status, headers: response.headers, html: await response.text() }
}

describe('the development inbox', () => {
  test('is a page that refreshes automatically', async () => {
    const { status, html } = await open()

    assert.equal(status, 200)
    assert.match(html, /No emails yet/)
    assert.match(html, /<meta http-equiv="refresh"/)
    assert.match(inbox.address, /^http:\/\/127\.0\.0\.1:/)
  })

  test('shows the newest mail first, with links, and escapes its text', async () => {
    await sendMail(config, 'ann@example.com', {
      subject: 'First <b>',
      text: 'Open http://x.example/verify?token=a&b=1 <script>alert(1)</script>',
      html: '<p>First</p><script>alert(1)</script>',
    })
    await sendMail(config, 'bob@example.com', { subject: 'Second', text: 'Hello', html: '<p>' })

    const { html, headers } = await open()

    assert(html.indexOf('Second') < html.indexOf('First'))
    assert(html.includes('First &lt;b&gt;'))
    assert(html.includes('to ann@example.com at '))
    assert(html.includes('<a href="http://x.example/verify?token=a&amp;b=1">'))
    assert(!html.includes('<script'))
    assert.match(headers.get('content-security-policy')!, /^default-src 'none'/)
  })

  test('shows the HTML version in a sandboxed frame', async () => {
    const list = await open()
    const [, src] = /<iframe [^>]*sandbox="[^"]*"\s+src="(\/html\/1)"/.exec(list.html)!

    const { status, headers, html } = await open(src)

    assert.equal(status, 200)
    assert.match(html, /<p>First<\/p>/)
    assert.match(headers.get('content-security-policy')!, /^sandbox /)
    assert.doesNotMatch(headers.get('content-security-policy')!, /allow-scripts|script-src/)
  })

  test('404 for an unknown page', async () => {
    assert.equal((await open('/html/99')).status, 404)
    assert.equal((await open('/elsewhere')).status, 404)
  })

  test('keeps the last 200 mails', async () => {
    for (let i = 0; i < 205; i += 1)
      await sendMail(config, 'many@example.com', { subject: `No ${i}`, text: 'x', html: 'x' })

    const { html } = await open()

    assert.equal(html.match(/<article>/g)!.length, 200)
    assert(html.includes('No 204') && !html.includes('Second'))
  })
})
