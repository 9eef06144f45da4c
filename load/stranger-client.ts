/** Sends one HTTP request through the pool of the caller's address; a connection failure is reported as status 0. */
import http from 'node:http'

const pools = new Map<string, http.Agent>()
const TIMEOUT_MS = 60_000

export interface Reply {
  status: number
  text: string
  ms: number
}

export function request(
  base: string,
  method: string,
  to: string,
  {
    key,
    address,
    body,
    headers = {},
  }: {
    key?: string
    address: string
    body?: object | string
    headers?: Record<string, string>
  },
): Promise<Reply> {
  const text = typeof body === 'object' ? JSON.stringify(body) : body
  const url = new URL(base)
  let pool = pools.get(address)
  if (!pool) pools.set(address, (pool = new http.Agent({ keepAlive: true, maxSockets: 64 })))
  const startedAt = performance.now()
  return new Promise((resolve) => {
    const end = (status: number, received: string) =>
      resolve({ status, text: received, ms: performance.now() - startedAt })
    const sent = http.request(
      {
        host: url.hostname,
        port: url.port,
        method,
        path: url.pathname + to,
        agent: pool,
        headers: {
          'x-forwarded-for': address,
          ...(key ? { authorization: `Bearer ${key}` } : {}),
          ...(text === undefined
            ? {}
            : { 'content-type': 'application/json', 'content-length': Buffer.byteLength(text) }),
          ...headers,
        },
      },
      (answer) => {
        let received = ''
        answer.setEncoding('utf8')
        answer.on('data', (chunk: string) => (received += chunk))
        answer.on('end', () => end(answer.statusCode ?? 0, received))
        answer.on('error', (error) => end(0, error.message))
      },
    )
    // A server that rejects early may close before the body is sent: a response that arrived first counts.
    sent.on('error', (error) => end(0, error.message))
    sent.setTimeout(TIMEOUT_MS, () => sent.destroy(new Error('no answer in time')))
    sent.end(text)
  })
}
