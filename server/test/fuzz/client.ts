/** A client that sends exactly the given bytes; no library corrects them. */
import { connect } from 'node:net'

export interface Sent {
  method: string
  target: string
  /** A name may appear twice. Values are bytes as latin1 text. */
  headers: [string, string][]
  body?: Buffer | undefined
  isChunked?: boolean | undefined
  /** Closes the connection in the middle of the body. */
  isCut?: boolean | undefined
}

export interface Received {
  /** 0: the connection ended without a response. */
  status: number
  headers: Map<string, string>
  body: Buffer
  ms: number
}

/** A response that takes longer than this counts as missing. */
const PATIENCE_MS = 60_000

export async function exchange(api: URL, sent: Sent): Promise<Received> {
  const began = performance.now()
  const socket = connect(Number(api.port), api.hostname)
  socket.setTimeout(PATIENCE_MS, () => socket.destroy())
  const chunks: Buffer[] = []
  try {
    socket.write(render(sent, api.host))
    if (sent.isCut) socket.end()
    for await (const chunk of socket) chunks.push(chunk as Buffer)
  } catch {
    // A server that refuses early closes the connection while we are still sending; its response counts.
  }
  return { ...read(Buffer.concat(chunks)), ms: performance.now() - began }
}

function render({ method, target, headers, body, isChunked, isCut }: Sent, host: string): Buffer {
  const lines = [`${method} ${target} HTTP/1.1`, 'connection: close']
  if (!headers.some(([name]) => name === 'host')) lines.push(`host: ${host}`)
  lines.push(...headers.map(([name, value]) => `${name}: ${value}`))
  if (body !== undefined && isChunked) lines.push('transfer-encoding: chunked')
  else if (body !== undefined) lines.push(`content-length: ${body.length + (isCut ? 10 : 0)}`)
  const head = Buffer.from(`${lines.join('\r\n')}\r\n\r\n`, 'latin1')
  if (body === undefined) return head
  if (!isChunked) return Buffer.concat([head, body])
  const middle = Math.floor(body.length / 2)
  const pieces = [body.subarray(0, middle), body.subarray(middle)].filter((one) => one.length > 0)
  return Buffer.concat([
    head,
    ...pieces.flatMap((piece) => [
      Buffer.from(`${piece.length.toString(16)}\r\n`),
      piece,
      Buffer.from('\r\n'),
    ]),
    Buffer.from(isCut ? '5\r\nab' : '0\r\n\r\n'),
  ])
}

function read(bytes: Buffer): Omit<Received, 'ms'> {
  const end = bytes.indexOf('\r\n\r\n')
  if (end === -1) return { status: 0, headers: new Map(), body: bytes }
  const [first = '', ...lines] = bytes.subarray(0, end).toString('latin1').split('\r\n')
  const headers = new Map(
    lines.map((line) => {
      const at = line.indexOf(':')
      return [line.slice(0, at).toLowerCase(), line.slice(at + 1).trim()] as const
    }),
  )
  const body = bytes.subarray(end + 4)
  const status = Number(first.split(' ')[1])
  if (status === 100) return read(body)
  const isChunked = headers.get('transfer-encoding') === 'chunked'
  return { status, headers, body: isChunked ? joinChunks(body) : body }
}

function joinChunks(bytes: Buffer): Buffer {
  const pieces: Buffer[] = []
  for (let at = 0; ; ) {
    const end = bytes.indexOf('\r\n', at)
    const length = Number.parseInt(bytes.subarray(at, end).toString(), 16)
    if (end === -1 || !(length > 0)) return Buffer.concat(pieces)
    pieces.push(bytes.subarray(end + 2, end + 2 + length))
    at = end + 2 + length + 2
  }
}

/** Sends raw bytes; returns what came back until the server closed, or for a second. */
export async function sendBytes(api: URL, bytes: string | Buffer): Promise<string> {
  const socket = connect(Number(api.port), api.hostname)
  socket.setTimeout(1000, () => socket.destroy())
  const chunks: Buffer[] = []
  try {
    socket.write(bytes)
    for await (const chunk of socket) chunks.push(chunk as Buffer)
  } catch {
    // A reset connection is a valid response, too.
  }
  return Buffer.concat(chunks).toString('latin1')
}
