/** The sandbox's HTTP server: the API, the control API and the hosted pages on one port. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { answerApi } from './api.ts'
import { opensControl, runControl } from './control.ts'
import { unknownRoute } from './errors.ts'
import { servePage } from './pages/serve.ts'
import { secret } from './random.ts'
import { openSandbox, type Sandbox } from './sandbox.ts'

const BODY_MAX = 1_000_000
/** Longer than any client keeps a connection, so that we never close one that is about to be reused. */
const KEEP_ALIVE_MS = 120_000
/** How often due work is checked while there are no requests. */
const TICK_MS = 1000

export interface RunningSandbox {
  url: string
  token: string
  stop(): Promise<void>
}

export async function startSandbox({
  port = 0,
  host = '127.0.0.1',
  file,
  token = secret(32),
  publicUrl,
  now = () => new Date(),
  retryDelaysMs,
}: {
  port?: number
  host?: string
  /** The SQLite file; without one, all data is lost on exit. */
  file?: string | undefined
  token?: string | undefined
  publicUrl?: string | undefined
  /** The base of its clock; tests share theirs with it. */
  now?: () => Date
  retryDelaysMs?: readonly number[] | undefined
} = {}): Promise<RunningSandbox> {
  const server = createServer({ keepAliveTimeout: KEEP_ALIVE_MS })
  server.listen(port, host)
  await once(server, 'listening')
  const url = `http://${host}:${(server.address() as AddressInfo).port}`
  const sandbox = openSandbox({ file, token, publicUrl: publicUrl ?? url, now, retryDelaysMs })
  server.on('request', (request, response) => {
    answer(sandbox, request, response).catch((error: unknown) => {
      console.error('the sandbox failed:', error)
      if (!response.headersSent) response.writeHead(500)
      response.end()
    })
  })
  const tick = setInterval(() => sandbox.transaction(() => {}), TICK_MS)
  tick.unref()
  // Send what was waiting when it was stopped.
  sandbox.deliveries.wake()

  return {
    url,
    token,
    async stop() {
      clearInterval(tick)
      const closed = once(server, 'close')
      server.close()
      server.closeAllConnections()
      await closed
      await sandbox.close()
    },
  }
}

async function answer(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await readBody(request)
  if (body === 'gone') return
  if (body === 'too large') return send(response, 413, {}, 'The request is too large.')
  const { text } = body
  const address = request.url ?? '/'
  const question = address.indexOf('?')
  const path = question === -1 ? address : address.slice(0, question)
  const query = question === -1 ? '' : address.slice(question + 1)

  if (path.startsWith('/v1/') || path.startsWith('/v2/')) {
    const gone = new AbortController()
    response.on('close', () => gone.abort())
    const { headers } = request
    const answered = await answerApi(sandbox, {
      method: request.method ?? 'GET',
      path,
      query,
      body: text,
      authorization: headers.authorization,
      account: one(headers['stripe-account']) ?? one(headers['stripe-context']),
      key: one(headers['idempotency-key']),
      version: one(headers['stripe-version']),
      gone: gone.signal,
    })
    if (answered === undefined) request.socket.destroy()
    else send(response, answered.status, answered.headers, answered.body)
    return
  }

  if (path.startsWith('/_sandbox/')) return answerControl(sandbox, request, response, text)

  const url = URL.parse(address, sandbox.publicUrl)
  const page =
    url === null
      ? undefined
      : await servePage(sandbox, {
          method: request.method ?? 'GET',
          url,
          headers: request.headers,
          body: text,
        })
  if (page !== undefined) return send(response, page.status, page.headers, page.body)
  sendJson(response, 404, { error: unknownRoute(request.method ?? 'GET', path).body })
}

async function answerControl(
  sandbox: Sandbox,
  request: IncomingMessage,
  response: ServerResponse,
  body: string,
): Promise<void> {
  if (!opensControl(sandbox, request.headers.authorization))
    return sendJson(response, 401, { error: { message: 'The control API needs its token.' } })
  let given: unknown
  try {
    given = body === '' ? {} : JSON.parse(body)
  } catch {
    return sendJson(response, 400, { error: { message: 'The body is not JSON.' } })
  }
  const path = (request.url ?? '').slice('/_sandbox/'.length)
  const done = await runControl(sandbox, request.method ?? 'GET', path, given)
  sendJson(response, done.status, done.body)
}

async function readBody(
  request: IncomingMessage,
): Promise<{ text: string } | 'gone' | 'too large'> {
  const chunks: Buffer[] = []
  let length = 0
  try {
    for await (const chunk of request as AsyncIterable<Buffer>) {
      length += chunk.length
      if (length > BODY_MAX) return 'too large'
      chunks.push(chunk)
    }
  } catch {
    return 'gone'
  }
  return { text: Buffer.concat(chunks).toString('utf8') }
}

const one = (header: string | string[] | undefined) => (Array.isArray(header) ? header[0] : header)

function sendJson(response: ServerResponse, status: number, body: unknown): void {
  send(response, status, { 'content-type': 'application/json' }, JSON.stringify(body))
}

function send(
  response: ServerResponse,
  status: number,
  headers: Record<string, string | string[]>,
  body: string,
): void {
  response.writeHead(status, { ...headers, 'content-length': Buffer.byteLength(body) })
  response.end(body)
}
