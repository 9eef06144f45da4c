/**
 * The agents' servers for `npm run bench:webhooks`, in a separate process: one on each of 127.0.0.1, 127.0.0.2 …, all
 * on the same port. It parses HTTP by hand, because a full HTTP server would cost more than what is measured. It stores
 * the id of every request, so that none is counted twice, and some whole requests, so that their signatures can be
 * verified.
 */
import { readFileSync } from 'node:fs'
import { createServer, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'

export interface ReceiverOrder {
  /** Report once this many distinct events have arrived since the last order. */
  expect: number
}

export interface ReceiverReport {
  requests: number
  events: number
  /** Complete requests as received: headers and bodies. */
  samples: { headers: string; body: string }[]
  connections: number
}

const OK = 'HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n'
const SAMPLED_EACH = 1000

if (import.meta.main) await receive()

async function receive(): Promise<void> {
  const [hosts, port, certificate, key] = process.argv.slice(2) as [
    string,
    string,
    string?,
    string?,
  ]
  process.once('disconnect', () => process.exit())

  let expected = Infinity
  let report: ReceiverReport = empty()
  let ids = new Set<string>()

  function take(headers: string, body: () => string): void {
    report.requests += 1
    ids.add(valueOf(headers, 'webhook-id'))
    if (report.requests % SAMPLED_EACH === 1) report.samples.push({ headers, body: body() })
    if (ids.size === expected) process.send!({ ...report, events: ids.size })
  }

  process.on('message', ({ expect }: ReceiverOrder) => {
    expected = expect
    report = empty()
    ids = new Set()
    process.send!('ready')
  })

  for (let host = 1; host <= Number(hosts); host += 1) {
    const listener = (socket: Socket) => {
      report.connections += 1
      readRequests(socket, take)
    }
    const server: Server =
      certificate === undefined
        ? createServer({ noDelay: true }, listener)
        : createTlsServer(
            { noDelay: true, cert: readFileSync(certificate), key: readFileSync(key!) },
            listener,
          )
    await new Promise<void>((resolve) => {
      server.listen(Number(port), `127.0.0.${host}`, resolve)
    })
  }
  process.send!('ready')
}

function empty(): ReceiverReport {
  return { requests: 0, events: 0, samples: [], connections: 0 }
}

/** A request usually arrives in one chunk; an incomplete one is kept until the next chunk. */
function readRequests(socket: Socket, take: (headers: string, body: () => string) => void): void {
  let rest: Buffer | undefined
  socket.on('error', () => socket.destroy())
  socket.on('data', (piece: Buffer) => {
    let bytes = rest === undefined ? piece : Buffer.concat([rest, piece])
    rest = undefined
    while (bytes.length > 0) {
      const bodyAt = bytes.indexOf('\r\n\r\n') + 4
      const headers = bytes.toString('latin1', 0, bodyAt)
      const end = bodyAt + Number(valueOf(headers, 'content-length'))
      if (bodyAt < 4 || end > bytes.length) {
        rest = bytes
        return
      }
      const body = bytes.subarray(bodyAt, end)
      take(headers, () => body.toString('utf8'))
      socket.write(OK)
      bytes = bytes.subarray(end)
    }
  })
}

export function valueOf(headers: string, name: string): string {
  const at = headers.indexOf(`\r\n${name}: `) + name.length + 4
  return headers.slice(at, headers.indexOf('\r\n', at))
}
