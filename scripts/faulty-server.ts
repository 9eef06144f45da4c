/**
 * A server on loopback that fails as it is told, in front of a real one. The first part of a path names the run, so
 * that many runs share the server: in `/python.3/api/v1/tasks` it is case 3 of the Python client.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'

export type Fault =
  /** The real server answers. */
  | { does: 'pass' }
  /** The real server answers, and the answer is lost: all of it, or half of the body. */
  | { does: 'lose'; half?: boolean }
  /** The connection is closed before the call has an effect. */
  | { does: 'drop' }
  /** No answer. */
  | { does: 'stall' }
  /** Bytes that are not HTTP. */
  | { does: 'garble' }
  /** An answer of the fault server itself, which may be slow or cut. */
  | {
      does: 'say'
      status: number
      body?: unknown
      type?: string
      headers?: Record<string, string>
      /** A byte every so many milliseconds. */
      dripMs?: number
      /** Ends in the middle of the body: with its length announced, or in chunks. */
      cut?: 'length' | 'chunks'
    }
  /** Sends the client to the same path again. */
  | { does: 'redirect'; status: number }

export interface Seen {
  request: string
  /** The headers that the clients are compared by. */
  headers: Record<string, string | undefined>
  body: string
  at: number
}

export interface FaultyServer {
  url: string
  /** The requests of a run, in order. */
  seen(run: string): Seen[]
  stop(): Promise<void>
}

/** `faultsOf` gives the faults of a run; the last one is repeated. */
export async function openFaultyServer(
  realUrl: string,
  faultsOf: (run: string) => Fault[],
): Promise<FaultyServer> {
  const runs = new Map<string, Seen[]>()

  async function answer(request: IncomingMessage, response: ServerResponse) {
    const [, run = '', rest = ''] = /^\/([^/]+)\/api\/v1(.*)$/.exec(request.url!) ?? []
    const seen = runs.get(run) ?? []
    runs.set(run, seen)
    const faults = faultsOf(run)
    const fault = faults[Math.min(seen.length, faults.length - 1)]!
    const { accept, authorization, 'content-type': type, 'idempotency-key': key } = request.headers
    const one: Seen = {
      request: `${request.method} ${rest}`,
      headers: { accept, authorization, type, key: key as string | undefined },
      body: '',
      at: performance.now(),
    }
    seen.push(one)
    one.body = await text(request)
    await commit(fault, { run, rest, one, request, response })
  }

  async function commit(fault: Fault, call: Call): Promise<void> {
    const { request, response, run, rest } = call
    if (fault.does === 'drop') request.socket.destroy()
    else if (fault.does === 'garble') request.socket.end('SSH-2.0-nothing\r\n\r\n')
    else if (fault.does === 'redirect')
      response.writeHead(fault.status, { location: `/${run}/api/v1${rest}` }).end()
    else if (fault.does === 'say') await say(fault, response)
    else if (fault.does !== 'stall') await forward(fault, call)
  }

  async function forward(fault: Fault, { request, response, rest, one }: Call): Promise<void> {
    const { accept, authorization, type, key } = one.headers
    const headers = { accept, authorization, 'content-type': type, 'idempotency-key': key }
    const real = await fetch(realUrl + rest, {
      method: request.method!,
      headers: Object.entries(headers).filter(
        (pair): pair is [string, string] => pair[1] !== undefined,
      ),
      ...(one.body === '' ? {} : { body: one.body }),
    })
    const body = await real.text()
    if (fault.does === 'lose' && !fault.half) {
      request.socket.destroy()
      return
    }
    const kept = [...real.headers].filter(([name]) =>
      ['content-type', 'idempotency-replayed', 'retry-after', 'x-request-id'].includes(name),
    )
    response.writeHead(real.status, [
      ...kept.flat(),
      'content-length',
      String(Buffer.byteLength(body)),
    ])
    if (fault.does === 'lose') {
      response.write(body.slice(0, body.length / 2))
      await sleep(20)
      request.socket.destroy()
    } else response.end(body)
  }

  const server = createServer((request, response) => {
    // A client that gives up breaks the connection, which is what many cases are about.
    answer(request, response).catch(() => request.socket.destroy())
  })
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve)
  })
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen: (run) => runs.get(run) ?? [],
    stop: () => {
      server.closeAllConnections()
      return new Promise((resolve) => {
        server.close(() => resolve())
      })
    },
  }
}

interface Call {
  run: string
  rest: string
  one: Seen
  request: IncomingMessage
  response: ServerResponse
}

async function say(
  {
    status,
    body = '',
    type = 'application/json',
    headers = {},
    dripMs,
    cut,
  }: Fault & { does: 'say' },
  response: ServerResponse,
): Promise<void> {
  const whole = Buffer.from(typeof body === 'string' ? body : JSON.stringify(body))
  const length = cut === 'chunks' ? {} : { 'content-length': whole.length }
  response.writeHead(status, { 'content-type': type, ...length, ...headers })
  if (cut !== undefined) {
    response.write(whole.subarray(0, whole.length / 2))
    await sleep(20)
    response.socket!.destroy()
  } else if (dripMs === undefined) response.end(whole)
  else
    for (const byte of whole) {
      if (response.destroyed) return
      response.write(Buffer.from([byte]))
      await sleep(dripMs)
    }
}
