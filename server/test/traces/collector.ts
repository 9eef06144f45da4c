/** An OpenTelemetry collector on loopback: receives spans by OTLP over HTTP, as protobuf, and keeps them. */
import { once } from 'node:events'
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'

export interface CollectedSpan {
  traceId: string
  spanId: string
  /** Empty for a span without a parent. */
  parentId: string
  name: string
  /** As in the protocol: 1 internal, 2 server, 3 client, 4 producer, 5 consumer. */
  kind: number
  startNs: bigint
  endNs: bigint
  attributes: Record<string, string | number>
  links: { traceId: string; spanId: string }[]
  /** 2 is an error. */
  status: number
}

export async function openCollector() {
  const spans: CollectedSpan[] = []
  const requests: { path: string; headers: Record<string, unknown> }[] = []
  const bodies: Buffer[] = []
  const take = async (request: IncomingMessage, response: ServerResponse) => {
    const body = await buffer(request)
    requests.push({ path: request.url ?? '', headers: request.headers })
    bodies.push(body)
    spans.push(...readSpans(body))
    response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end()
  }
  const server = createServer((request, response) => void take(request, response))
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    spans: spans as readonly CollectedSpan[],
    requests,
    /** Everything that was received, as text: to search for what must not be there. */
    text: () => Buffer.concat(bodies).toString('latin1'),
    stop: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve())
        server.closeAllConnections()
      }),
  }
}

/** The fields of the messages in opentelemetry-proto that a test looks at, by number. */
const RESOURCE_SPANS = 1
const SCOPE_SPANS = 2
const SPANS = 2

function readSpans(body: Buffer): CollectedSpan[] {
  return nested(body, RESOURCE_SPANS)
    .flatMap((resource) => nested(resource, SCOPE_SPANS))
    .flatMap((scope) => nested(scope, SPANS))
    .map((span) => {
      const fields = readMessage(span)
      const last = (number: number) => fields.get(number)?.at(-1)
      const bytes = (number: number) => (last(number) as Buffer | undefined) ?? Buffer.alloc(0)
      return {
        traceId: bytes(1).toString('hex'),
        spanId: bytes(2).toString('hex'),
        parentId: bytes(4).toString('hex'),
        name: bytes(5).toString(),
        kind: Number(last(6) ?? 0n),
        startNs: (last(7) as bigint | undefined) ?? 0n,
        endNs: (last(8) as bigint | undefined) ?? 0n,
        attributes: Object.fromEntries(nested(span, 9).map(readAttribute)),
        links: nested(span, 13).map((link) => ({
          traceId: nested(link, 1)[0]!.toString('hex'),
          spanId: nested(link, 2)[0]!.toString('hex'),
        })),
        status: Number((readMessage(bytes(15)).get(3)?.at(-1) as bigint | undefined) ?? 0n),
      }
    })
}

function readAttribute(pair: Buffer): [string, string | number] {
  const [key, value] = [nested(pair, 1)[0]!, readMessage(nested(pair, 2)[0]!)]
  const [[number, values]] = [...value] as [[number, (Buffer | bigint)[]]]
  return [key.toString(), number === 1 ? String(values[0]) : Number(values[0])]
}

const nested = (message: Buffer, number: number) =>
  (readMessage(message).get(number) ?? []) as Buffer[]

/** Reads the wire format of protobuf: the values of each field, as bytes or numbers. */
function readMessage(message: Buffer): Map<number, (Buffer | bigint)[]> {
  const fields = new Map<number, (Buffer | bigint)[]>()
  let at = 0
  const varint = () => {
    let value = 0n
    for (let shift = 0n; ; shift += 7n) {
      const byte = message[at++]!
      value |= BigInt(byte & 0x7f) << shift
      if (byte < 0x80) return value
    }
  }
  const take = (length: number) => message.subarray(at, (at += length))
  while (at < message.length) {
    const tag = Number(varint())
    const read = [
      varint,
      () => take(8).readBigUInt64LE(),
      () => take(Number(varint())),
      undefined,
      undefined,
      () => BigInt(take(4).readUInt32LE()),
    ][tag & 7]
    if (read === undefined) throw new Error(`wire type ${tag & 7} at ${at}`)
    const values = fields.get(tag >> 3) ?? []
    values.push(read())
    fields.set(tag >> 3, values)
  }
  return fields
}
