import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import type { Json } from './harness.ts'

export interface Received {
  path: string
  headers: IncomingHttpHeaders
  /** The exact bytes that were signed. */
  text: string
  body: Json
  at: Date
}

interface Scope {
  after(end: () => Promise<unknown>): void
}

/** An agent's server on loopback: records what it receives, and responds with 200 or as configured. */
export async function openReceiver(
  scope: Scope,
  answer: (received: Received, response: ServerResponse) => void = (_, response) => {
    response.end()
  },
) {
  const received: Received[] = []
  let current = answer
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    // The sender may be killed in the middle of it.
    const body = await text(request).catch(() => undefined)
    if (body === undefined) return
    const one = {
      path: request.url ?? '',
      headers: request.headers,
      text: body,
      body: JSON.parse(body) as Json,
      at: new Date(),
    }
    received.push(one)
    current(one, response)
  }
  const server = createServer((request, response) => void take(request, response))
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  const { port } = server.address() as AddressInfo
  const close = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve())
      server.closeAllConnections()
    })
  scope.after(close)
  return {
    url: `http://127.0.0.1:${port}/hooks`,
    port,
    received,
    /** Changes the response from now on. */
    answerBy(next: typeof answer) {
      current = next
    },
    answerWith(status: number, headers: Record<string, string> = {}) {
      current = (_, response) => void response.writeHead(status, headers).end(String(status))
    },
    close,
  }
}

export type Receiver = Awaited<ReturnType<typeof openReceiver>>
