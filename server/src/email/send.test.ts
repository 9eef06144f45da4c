import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Socket } from 'node:net'
import { after, describe, test } from 'node:test'
import { openInbox } from '../../test/inbox.ts'
import { readConfig } from '../config.ts'
import { closeMail, sendMail } from './send.ts'

const inbox = await openInbox()
after(() => inbox.stop())

const mail = { subject: 'Grüße 🦊', text: 'Text: äöü', html: '<p>HTML</p>' }
const configOf = (url: string, more: Record<string, string> = {}) =>
  readConfig({ SMTP_URL: url, MAIL_FROM: 'Legwork <hello@legwork.example>', ...more })

describe('sendMail', () => {
  test('sends a mail to the server, in both of its versions', async () => {
    const config = configOf(inbox.url)
    await sendMail(config, 'ann@example.com', mail)
    await closeMail(config)

    const received = await inbox.mailTo('ann@example.com')

    assert.equal(received.subject, 'Grüße 🦊')
    assert.equal(received.text.trim(), 'Text: äöü')
    assert.match(received.html, /<p>HTML<\/p>/)
    assert.equal(received.from, 'hello@legwork.example')
  })

  test('an address cannot inject a second one', async () => {
    const config = configOf(inbox.url)
    await sendMail(config, 'a@example.com, b@example.com', mail).catch(() => {})
    await sendMail(config, 'a@example.com>\r\nRCPT TO:<b@example.com', mail).catch(() => {})
    await closeMail(config)

    assert.deepEqual(inbox.unreadTo('b@example.com'), [])
  })

  test('fails without naming the address if the server refuses it', async (t) => {
    const server = await speak(t, (line) =>
      line.startsWith('RCPT') ? '550 no such user: secret@example.com' : '250 ok',
    )
    const config = configOf(server.url)

    const sent = sendMail(config, 'secret@example.com', mail)

    await assert.rejects(sent, (error: Error) => {
      assert.equal(error.message, 'the mail server did not accept an email (EENVELOPE RCPT TO 550)')
      assert.equal(error.cause, undefined)
      return true
    })
    await closeMail(config)
  })

  test('in production nothing is sent to a server without encryption', async (t) => {
    const server = await speak(t, () => '250 ok')
    const config = { ...configOf(server.url), NODE_ENV: 'production' as const }

    const sent = sendMail(config, 'ann@example.com', mail)

    await assert.rejects(sent, /did not accept an email/)
    await closeMail(config)
    assert(!server.heard.some((line) => line.startsWith('MAIL') || line.startsWith('RCPT')))
  })
})

/** A mail server with a scripted response to each line. */
async function speak(
  t: { after(end: () => void): void },
  answer: (line: string) => string,
): Promise<{ url: string; heard: string[] }> {
  const heard: string[] = []
  const sockets: Socket[] = []
  const server = createServer((socket) => {
    sockets.push(socket)
    socket.on('error', () => {})
    socket.write('220 here\r\n')
    socket.on('data', (data: Buffer) => {
      for (const line of data.toString().split('\r\n').filter(Boolean)) {
        heard.push(line)
        socket.write(`${answer(line)}\r\n`)
      }
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  t.after(() => {
    for (const socket of sockets) socket.destroy()
    server.close()
  })
  const address = server.address()
  assert(typeof address === 'object' && address)
  return { url: `smtp://127.0.0.1:${address.port}`, heard }
}
