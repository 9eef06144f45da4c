/**
 * The development webhook receiver: an agent's server that verifies every webhook it gets and shows it on a local page.
 * It responds with 204, or with the status at the end of the URL (/500, /410), so that developers can see what happens
 * then.
 */
import { once } from 'node:events'
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { Webhook } from 'standardwebhooks'
import { escapeHtml } from '../server/src/kit/html.ts'

const HOST = '127.0.0.1'
const KEPT = 200
const TOLERANCE_SECONDS = 300
const REFRESH_SECONDS = 3
const HEADERS = ['webhook-id', 'webhook-timestamp', 'webhook-signature', 'user-agent'] as const

export interface ReceivedWebhook {
  number: number
  /** Undefined if the body is not an event. */
  event: WebhookEvent | undefined
  /** The raw body, which is what the signature covers. */
  body: string
  headers: IncomingHttpHeaders
  path: string
  /** Why it can't be trusted; undefined if it can. */
  problem: string | undefined
  /** How many times this event has arrived so far; the id identifies the event. */
  times: number
  answered: number
  receivedAt: Date
}

interface WebhookEvent {
  id: string
  type: string
  sequence: number | null
  data: { task?: { id: string } }
}

interface ReceiverOptions {
  port?: number
  /** Secret of the agent that the event belongs to; undefined if there is no such event. */
  secretOf(eventId: string): string | undefined | Promise<string | undefined>
  /** The sender's clock, if it isn't the system clock. */
  now?(): Date
  onWebhook?(webhook: ReceivedWebhook): void
}

export async function startReceiver({
  port = 0,
  secretOf,
  now = () => new Date(),
  onWebhook,
}: ReceiverOptions) {
  const webhooks: ReceivedWebhook[] = []
  const times = new Map<string, number>()
  let count = 0

  async function receive(request: IncomingMessage): Promise<number> {
    const { headers, url: path = '/' } = request
    const body = await text(request)
    const id = String(headers['webhook-id'])
    const secret = await secretOf(id)
    const problem = problemOf({ headers, body, secret, now: now() })
    count += 1
    times.set(id, (times.get(id) ?? 0) + 1)
    const webhook: ReceivedWebhook = {
      number: count,
      event: eventOf(body),
      body,
      headers,
      path,
      problem,
      times: times.get(id)!,
      answered: problem === undefined ? Number(/\/([2-5]\d\d)$/.exec(path)?.[1] ?? 204) : 401,
      receivedAt: now(),
    }
    webhooks.unshift(webhook)
    webhooks.length = Math.min(webhooks.length, KEPT)
    onWebhook?.(webhook)
    return webhook.answered
  }

  const server = createServer((request, response) => {
    if (request.method !== 'POST') return show(webhooks, address, request, response)
    receive(request).then(
      (status) => void response.writeHead(status).end(),
      () => void response.writeHead(500).end(),
    )
  })
  server.listen(port, HOST)
  await once(server, 'listening')
  const address = `http://${HOST}:${(server.address() as AddressInfo).port}`
  return {
    address,
    /** Newest first. */
    webhooks: webhooks as readonly ReceivedWebhook[],
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

function problemOf({
  headers,
  body,
  secret,
  now,
}: {
  headers: IncomingHttpHeaders
  body: string
  secret: string | undefined
  now: Date
}): string | undefined {
  const [id, time, signatures] = HEADERS.map((name) => String(headers[name] ?? ''))
  if (!id || !time || !signatures) return 'it is not signed'
  if (secret === undefined) return 'nobody here has sent such an event'
  const sentAt = new Date(Number(time) * 1000)
  if (!(Math.abs(now.getTime() - sentAt.getTime()) <= TOLERANCE_SECONDS * 1000))
    return 'its time is not now'
  const expected = new Webhook(secret).sign(id, sentAt, body)
  return signatures.split(' ').includes(expected) ? undefined : 'the signature is wrong'
}

function eventOf(body: string): WebhookEvent | undefined {
  try {
    const event = JSON.parse(body) as Partial<WebhookEvent> | null
    if (typeof event?.type !== 'string') return undefined
    return { ...event, data: event.data ?? {} } as WebhookEvent
  } catch {
    return undefined
  }
}

function show(
  webhooks: readonly ReceivedWebhook[],
  address: string,
  { url = '/' }: IncomingMessage,
  response: ServerResponse,
): void {
  const number = Number(/^\/webhooks\/(\d+)$/.exec(url)?.[1])
  const webhook = webhooks.find((one) => one.number === number)
  const isList = url === '/'
  const content = isList
    ? listContent(webhooks, address)
    : webhook
      ? wholeContent(webhook)
      : '<h1>Webhook not found</h1>\n<p><a href="/">All webhooks</a></p>'
  response
    .writeHead(isList || webhook ? 200 : 404, {
      'content-type': 'text/html; charset=utf-8',
      'content-security-policy': "default-src 'none'; style-src 'unsafe-inline'",
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    })
    .end(`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
${isList ? `<meta http-equiv="refresh" content="${REFRESH_SECONDS}">` : ''}
<title>Webhooks${webhooks.length > 0 ? ` (${webhooks.length})` : ''}</title>
<style>${STYLE}</style>
</head>
<body>
<main>
${content}
</main>
</body>
</html>
`)
}

const STYLE = `
:root { color-scheme: light dark; --ground: #f6f7f5; --paper: #fff; --ink: #12211a; --quiet: #4c5b53 }
:root { --edge: #d5dcd6; --good: #0a6b4a; --wrong: #b3261e }
@media (prefers-color-scheme: dark) {
  :root { --ground: #0d1411; --paper: #151e1a; --ink: #ecf2ee; --quiet: #a9b8b0 }
  :root { --edge: #2c3a33; --good: #4cd3a0; --wrong: #ff9d94 }
}
body { margin: 0; padding: 1rem; background: var(--ground); color: var(--ink) }
body { font: 1rem/1.5 system-ui, sans-serif; font-variant-numeric: tabular-nums }
main { max-width: 46rem; margin: 1rem auto }
h1 { margin: 0 0 .75rem; font-size: 1.5rem; line-height: 1.25; overflow-wrap: anywhere }
ol { margin: 1.5rem 0 0; padding: 0; list-style: none }
li { margin-bottom: .75rem; border: 1px solid var(--edge); border-radius: .75rem; background: var(--paper) }
li a { display: block; padding: .75rem 1rem; color: inherit; text-decoration: none }
li a:hover strong { text-decoration: underline }
a { color: var(--good) }
code, pre, dd { font: .875rem/1.5 ui-monospace, monospace; overflow-wrap: anywhere }
pre { padding: 1rem; border: 1px solid var(--edge); border-radius: .75rem; background: var(--paper) }
pre { white-space: pre-wrap }
dt { color: var(--quiet); font-size: .875rem }
dd { margin: 0 0 .5rem }
time { float: right; padding-left: .75rem; color: var(--quiet) }
.about { display: block; color: var(--quiet); font-size: .875rem; overflow-wrap: anywhere }
.good { color: var(--good) }
.wrong { color: var(--wrong) }`

function listContent(webhooks: readonly ReceivedWebhook[], address: string): string {
  const items = webhooks.map(
    (webhook) => `<li><a href="/webhooks/${webhook.number}">
<time>${clockTime(webhook)}</time><strong>${nameOf(webhook)}</strong>
<span class="about">${verdict(webhook)} · responded ${webhook.answered}${again(webhook)}</span>
<span class="about">${aboutTask(webhook)}</span>
</a></li>`,
  )
  return `<h1>Webhooks</h1>
<p>Use <code>${address}</code> as <code>webhook_url</code> or <code>callback_url</code>. Webhooks sent to it
appear here automatically. <code>${address}/500</code> always fails, so deliveries are retried. <code>/410</code> tells
the server to stop sending.</p>
${items.length === 0 ? '<p><strong>None yet.</strong></p>' : `<ol>\n${items.join('\n')}\n</ol>`}`
}

function wholeContent(webhook: ReceivedWebhook): string {
  const { headers, event, body, path, answered } = webhook
  const shown = event === undefined ? body : JSON.stringify(JSON.parse(body), null, 2)
  const rows = HEADERS.map(
    (name) => `<dt>${name}</dt><dd>${escapeHtml(String(headers[name] ?? 'is missing'))}</dd>`,
  )
  return `<p><a href="/">All webhooks</a></p>
<h1>${nameOf(webhook)}</h1>
<p>${verdict(webhook)} · at ${clockTime(webhook)} · POST <code>${escapeHtml(path)}</code>,
responded ${answered}${again(webhook)}</p>
<dl>
${rows.join('\n')}
</dl>
<pre>${escapeHtml(shown)}</pre>`
}

const nameOf = ({ event }: ReceivedWebhook) => escapeHtml(event?.type ?? 'not an event')

const clockTime = ({ receivedAt }: ReceivedWebhook) => receivedAt.toTimeString().slice(0, 8)

const verdict = ({ problem }: ReceivedWebhook) =>
  problem === undefined
    ? '<span class="good">✓ verified</span>'
    : `<span class="wrong">✗ ${escapeHtml(problem)}</span>`

const again = ({ times }: ReceivedWebhook) =>
  times > 1 ? ` · delivery ${times} of this event` : ''

const aboutTask = ({ event }: ReceivedWebhook) =>
  escapeHtml(
    event?.data.task === undefined
      ? (event?.id ?? '')
      : `${event.data.task.id} · event ${event.sequence} of this task`,
  )
