/**
 * The only HTTP client for URLs that others gave us (agents' servers and push services): a POST with limits on time and
 * size. Each connection goes to the address that was just checked and stays with it. Redirects are not followed, and
 * proxy settings in the environment are ignored.
 */
import { createSecureContext } from 'node:tls'
import { Agent, type Dispatcher } from 'undici'
import type { Config } from '../config.ts'
import { holdsLogin } from './addresses.ts'
import { type Dial, dialTcp, openConnection, outOfTime, Unreachable } from './connection.ts'

const READ_MAX_BYTES = 8192
const KEPT_BYTES = 512
const HEADERS_MAX_BYTES = 16_384
/** Even a busy connection is reopened after this long, because the host may have moved. */
const CONNECTION_MS_MAX = 300_000
const IDLE_MS_MAX = 30_000
const ERROR_LENGTH_MAX = 300

export interface Call {
  url: string
  /** With lower-case names. */
  headers: Record<string, string>
  body: string | Buffer
}

/** The start of the response body as text, or why there was no response, in words for the agent. */
export type Reply =
  | { status: number; answer: string; retryAfterMs?: number }
  | { error: string; status?: undefined }

export interface Caller {
  /** Never throws. */
  post(call: Call): Promise<Reply>
  /** Waits for the calls in flight. */
  close(): Promise<void>
}

export function openCaller(config: Config, { dial = dialTcp }: { dial?: Dial } = {}): Caller {
  const secureContext = createSecureContext()
  const agent = new Agent({
    async connect({ protocol, host, hostname }, callback) {
      const origin = new URL(`${protocol}//${host ?? hostname}`)
      const result = await openConnection(config, origin, { dial, secureContext }).catch(
        (error: Error) => error,
      )
      if (result instanceof Error) callback(result, null)
      else callback(null, result)
    },
    connections: config.WEBHOOK_HOST_CONCURRENCY,
    allowH2: false,
    maxHeaderSize: HEADERS_MAX_BYTES,
    keepAliveMaxTimeout: IDLE_MS_MAX,
    clientTtl: CONNECTION_MS_MAX,
    // One timer in `readReply` limits the whole call.
    headersTimeout: 0,
    bodyTimeout: 0,
  })
  const underWay = new Set<Promise<Reply>>()

  return {
    async post(call) {
      const reply = send(agent, call, config.WEBHOOK_TIMEOUT_MS)
      underWay.add(reply)
      try {
        return await reply
      } finally {
        underWay.delete(reply)
      }
    },
    async close() {
      await Promise.allSettled(underWay)
      await agent.destroy()
    },
  }
}

function send(agent: Agent, { url, headers, body }: Call, timeoutMs: number): Promise<Reply> {
  const target = URL.parse(url)
  if (target === null) return Promise.resolve({ error: 'the URL can’t be parsed' })
  if (holdsLogin(target))
    return Promise.resolve({ error: 'the URL must not contain a user name or password' })
  return new Promise((resolve) => {
    agent.dispatch(
      {
        origin: target.origin,
        path: target.pathname + target.search,
        method: 'POST',
        headers: {
          'content-type': 'application/json',
          'user-agent': 'Legwork-Webhooks/1',
          ...headers,
        },
        body,
      },
      readReply(resolve, timeoutMs),
    )
  })
}

function readReply(resolve: (reply: Reply) => void, timeoutMs: number): Dispatcher.DispatchHandler {
  let running: Dispatcher.DispatchController | undefined
  let isSettled = false
  let status = 0
  let retryAfterMs: number | undefined
  let size = 0
  const kept: Buffer[] = []

  const settle = (reply: Reply) => {
    if (isSettled) return
    isSettled = true
    clearTimeout(timer)
    resolve(reply)
  }
  const settleWithAnswer = () => {
    settle({ status, answer: readText(kept), ...(retryAfterMs !== undefined && { retryAfterMs }) })
  }
  const timer = setTimeout(() => {
    settle({ error: outOfTime(timeoutMs) })
    running?.abort(new Error('timed out'))
  }, timeoutMs)

  return {
    onRequestStart(controller) {
      running = controller
      // The call timed out while it waited for a connection.
      if (isSettled) controller.abort(new Error('timed out'))
    },
    onResponseStart(_, code, headers) {
      status = code
      retryAfterMs = readRetryAfter(first(headers['retry-after']), first(headers['date']))
    },
    onResponseData(controller, chunk) {
      if (size < KEPT_BYTES) kept.push(chunk.subarray(0, KEPT_BYTES - size))
      size += chunk.length
      if (size <= READ_MAX_BYTES) return
      settleWithAnswer()
      controller.abort(new Error('enough was read'))
    },
    onResponseEnd() {
      clearTimeout(timer)
      // The connection is reusable only after this delay. A caller that posts again at once would otherwise open a new
      // one, which costs a third more work.
      setImmediate(() => setImmediate(settleWithAnswer))
    },
    onResponseError(_, error) {
      settle({ error: wordsFor(error) })
    },
  }
}

const first = (value: string | string[] | undefined) => (Array.isArray(value) ? value[0] : value)

function readText(chunks: Buffer[]): string {
  return visible(new TextDecoder().decode(Buffer.concat(chunks)))
}

/** Makes text safe to store and show: replaces control, invisible and invalid characters with a space. */
const visible = (text: string) => text.replaceAll(/[\p{C}\p{Zl}\p{Zp}\uFFFD]+/gu, ' ').trim()

/** A Retry-After date is relative to the response's Date header, because both come from the receiver's clock. */
function readRetryAfter(value?: string, date?: string): number | undefined {
  if (value === undefined) return undefined
  if (/^\d{1,9}$/.test(value)) return Number(value) * 1000
  const waitMs = readTime(value) - readTime(date ?? '')
  return Number.isNaN(waitMs) ? undefined : Math.max(0, waitMs)
}

const readTime = (text: string) => (/^[A-Z][a-z]+, /.test(text) ? Date.parse(text) : Number.NaN)

function wordsFor(error: NodeJS.ErrnoException): string {
  if (error instanceof Unreachable) return visible(error.message).slice(0, ERROR_LENGTH_MAX)
  const { name, code = '' } = error
  if (code === 'ECONNREFUSED') return 'the connection was refused'
  if (['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET'].includes(code)) return 'the connection was closed'
  if (name === 'HTTPParserError' || code.startsWith('UND_ERR_'))
    return 'the response is not valid HTTP'
  return 'the host can’t be reached'
}
