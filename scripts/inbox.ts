/**
 * The development inbox: accepts every email that the server sends, to any recipient, and shows it on a local page.
 * Nothing leaves the machine. Tests use it without the page.
 */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { callbackify } from 'node:util'
import PostalMime from 'postal-mime'
import { SMTPServer } from 'smtp-server'
import { escapeHtml } from '../server/src/kit/html.ts'

const HOST = '127.0.0.1'
const KEPT = 200
const LINK = /https?:\/\/[^\s<>"]+/g

export interface ReceivedMail {
  number: number
  to: string[]
  from: string
  subject: string
  text: string
  html: string
  headers: Record<string, string>
  receivedAt: Date
}

/** Accepts mail on a free port and keeps the latest messages in memory. */
export async function startMailbox({
  onMail,
  port: wantedPort = 0,
}: {
  onMail?(mail: ReceivedMail): void
  port?: number
} = {}) {
  const mails: ReceivedMail[] = []
  let count = 0
  const smtp = new SMTPServer({
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,
    logger: false,
    onData(stream, session, done) {
      callbackify(() => receive(stream, session.envelope.rcptTo))(done)
    },
  })
  // A client that disconnects must not stop the server.
  smtp.on('error', () => {})

  async function receive(stream: NodeJS.ReadableStream, rcptTo: { address: string }[]) {
    const parsed = await PostalMime.parse(await buffer(stream))
    count += 1
    const mail: ReceivedMail = {
      number: count,
      to: rcptTo.map(({ address }) => address),
      from: parsed.from?.address ?? '',
      subject: parsed.subject ?? '',
      text: parsed.text ?? '',
      html: parsed.html ?? '',
      headers: Object.fromEntries(parsed.headers.map(({ key, value }) => [key, value])),
      receivedAt: new Date(),
    }
    mails.unshift(mail)
    mails.length = Math.min(mails.length, KEPT)
    onMail?.(mail)
  }

  smtp.listen(wantedPort, HOST)
  await once(smtp.server, 'listening')
  const { port } = smtp.server.address() as AddressInfo
  return {
    url: `smtp://${HOST}:${port}`,
    /** Newest first. */
    mails: mails as readonly ReceivedMail[],
    stop: () => new Promise<void>((resolve) => smtp.close(() => resolve())),
  }
}

export async function startInbox({ port = 0 }: { port?: number } = {}) {
  const mailbox = await startMailbox()
  const web = createServer((request, response) => serve(mailbox.mails, request, response))
  web.listen(port, HOST)
  try {
    await once(web, 'listening')
  } catch (error) {
    await mailbox.stop()
    throw error
  }
  return {
    smtpUrl: mailbox.url,
    mails: mailbox.mails,
    address: `http://${HOST}:${(web.address() as AddressInfo).port}`,
    async stop() {
      await Promise.all([mailbox.stop(), closeServer(web)])
    },
  }
}

export const linksIn = (text: string) => text.match(LINK) ?? []

function serve(
  mails: readonly ReceivedMail[],
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const number = Number(/^\/html\/(\d+)$/.exec(url)?.[1])
  const mail = mails.find((one) => one.number === number)
  const send = (status: number, html: string, policy: string) =>
    void response
      .writeHead(status, {
        'content-type': 'text/html; charset=utf-8',
        'content-security-policy': policy,
        'referrer-policy': 'no-referrer',
        'cache-control': 'no-store',
      })
      .end(html)

  if (url === '/')
    send(200, listPage(mails), "default-src 'none'; style-src 'unsafe-inline'; frame-src 'self'")
  // Sandboxed even when opened outside the frame: no scripts, no images, nothing from other hosts.
  else if (mail)
    send(
      200,
      // Links open in a new tab instead of the small frame.
      mail.html.replace('<head>', '<head><base target="_blank">'),
      "sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; style-src 'unsafe-inline'",
    )
  else send(404, 'This email doesn’t exist.', "default-src 'none'")
}

const STYLE = `
:root { color-scheme: light dark }
body { max-width: 46rem; margin: 2rem auto; padding: 0 1rem; font: 1rem/1.5 system-ui, sans-serif }
article { margin: 0 0 2rem; padding: 1rem; border: 1px solid #8c959f; border-radius: .5rem }
h2 { margin: 0; font-size: 1.125rem }
pre { white-space: pre-wrap; overflow-wrap: anywhere; font: inherit }
iframe { width: 100%; height: 28rem; border: 1px solid #8c959f; background: #fff }
.about { margin: 0; color: #6e7781; font-size: .875rem }`

function listPage(mails: readonly ReceivedMail[]): string {
  const content =
    mails.length === 0
      ? '<p>No emails yet. Emails that the server sends appear here automatically.</p>'
      : mails.map(mailArticle).join('\n')
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta http-equiv="refresh" content="5">
<title>${mails.length === 0 ? 'Inbox' : `Inbox (${mails.length})`}</title>
<style>${STYLE}</style>
</head>
<body>
<h1>Inbox</h1>
${content}
</body>
</html>
`
}

function mailArticle({ number, to, subject, text, receivedAt }: ReceivedMail): string {
  const time = receivedAt.toTimeString().slice(0, 8)
  // Find the links first, so that the text around them can be escaped separately.
  const parts = text.split(LINK).map(escapeHtml)
  const links = linksIn(text).map(escapeHtml)
  const linked = parts
    .map((part, i) => part + (links[i] ? `<a href="${links[i]}">${links[i]}</a>` : ''))
    .join('')
  return `<article>
<h2>${escapeHtml(subject)}</h2>
<p class="about">to ${escapeHtml(to.join(', '))} at ${time}</p>
<pre>${linked}</pre>
<details><summary>HTML version</summary>
<iframe title="HTML version of the email" sandbox="allow-popups allow-popups-to-escape-sandbox"
 src="/html/${number}" loading="lazy"></iframe>
</details>
</article>`
}

function closeServer(server: Server): Promise<void> {
  server.closeAllConnections()
  return new Promise((resolve) => {
    server.close(() => resolve())
  })
}
