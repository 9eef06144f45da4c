import { createSocket } from 'node:dgram'

/**
 * The records of a name. Without `a` and `aaaa` the name exists but has no address; with `silent` the query gets no
 * response.
 */
export interface Records {
  a?: string[]
  aaaa?: string[]
  /** An alias; the response includes the target's records. */
  cname?: string
  delayMs?: number
  silent?: boolean
}

interface Scope {
  after(end: () => Promise<unknown>): void
}

const TYPES = { 1: 'a', 28: 'aaaa' } as const
const CNAME = 5
const NO_SUCH_NAME = 3

/** A real DNS server on loopback that knows only the names it was given. */
export async function openNames(scope: Scope) {
  const known = new Map<string, Records[]>()
  const questions: { name: string; type: 'a' | 'aaaa' }[] = []
  const socket = createSocket('udp4')
  const timers = new Set<NodeJS.Timeout>()

  socket.on('message', (query, { address, port }) => {
    const { name, type, end } = readQuestion(query)
    const asked = TYPES[type as 1 | 28]
    const answers = known.get(name)
    // Each repeated query gets the next response; the last one repeats.
    const earlier = questions.filter((one) => one.name === name && one.type === asked).length
    questions.push({ name, type: asked })
    const records = answers?.[Math.min(earlier, answers.length - 1)]
    if (records?.silent) return
    const reply = renderReply(query.subarray(0, end), records && recordsFor(records, asked))
    const timer = setTimeout(() => {
      timers.delete(timer)
      socket.send(reply, port, address)
    }, records?.delayMs ?? 0)
    timers.add(timer)
  })

  function recordsFor({ cname, ...own }: Records, type: 'a' | 'aaaa'): Buffer[] {
    const target = cname === undefined ? own : (known.get(cname)?.[0] ?? {})
    const owner = cname === undefined ? Buffer.from([0xc0, 12]) : writeName(cname)
    const addresses = (target[type] ?? []).map((address) =>
      renderRecord(
        owner,
        type === 'a' ? 1 : 28,
        type === 'a' ? bytesOf4(address) : bytesOf6(address),
      ),
    )
    if (cname === undefined) return addresses
    return [renderRecord(Buffer.from([0xc0, 12]), CNAME, writeName(cname)), ...addresses]
  }

  await new Promise<void>((resolve) => {
    socket.bind(0, '127.0.0.1', resolve)
  })
  scope.after(async () => {
    for (const timer of timers) clearTimeout(timer)
    await new Promise<void>((resolve) => {
      socket.close(resolve)
    })
  })
  return {
    /** For WEBHOOK_DNS_SERVERS. */
    server: `127.0.0.1:${socket.address().port}`,
    questions,
    /** Sets the records of a name; several are returned for successive queries. */
    set(name: string, ...answers: Records[]) {
      known.set(name, answers)
      for (let i = questions.length - 1; i >= 0; i -= 1)
        if (questions[i]!.name === name) questions.splice(i, 1)
    },
  }
}

export type Names = Awaited<ReturnType<typeof openNames>>

function readQuestion(query: Buffer): { name: string; type: number; end: number } {
  const labels: string[] = []
  let at = 12
  while (query[at] !== 0) {
    labels.push(query.toString('latin1', at + 1, at + 1 + query[at]!).toLowerCase())
    at += 1 + query[at]!
  }
  return { name: labels.join('.'), type: query.readUInt16BE(at + 1), end: at + 5 }
}

function renderReply(question: Buffer, records: Buffer[] | undefined): Buffer {
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180 | (records === undefined ? NO_SUCH_NAME : 0), 2)
  header.writeUInt16BE(1, 4)
  header.writeUInt16BE(records?.length ?? 0, 6)
  header.writeUInt32BE(0, 8)
  return Buffer.concat([header, question.subarray(12), ...(records ?? [])])
}

function renderRecord(owner: Buffer, type: number, data: Buffer): Buffer {
  const head = Buffer.alloc(10)
  head.writeUInt16BE(type, 0)
  head.writeUInt16BE(1, 2)
  // A long TTL, to expose a client that caches responses.
  head.writeUInt32BE(300, 4)
  head.writeUInt16BE(data.length, 8)
  return Buffer.concat([owner, head, data])
}

function writeName(name: string): Buffer {
  const labels = name.split('.').map((label) => Buffer.from([label.length, ...Buffer.from(label)]))
  return Buffer.concat([...labels, Buffer.from([0])])
}

const bytesOf4 = (address: string) => Buffer.from(address.split('.').map(Number))

function bytesOf6(address: string): Buffer {
  const written = new URL(`http://[${address}]`).hostname.slice(1, -1)
  const [head = [], tail = []] = written.split('::').map((part) => part.split(':').filter(Boolean))
  const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0')
  const bytes = Buffer.alloc(16)
  for (const [i, group] of [...head, ...zeros, ...tail].entries())
    bytes.writeUInt16BE(Number.parseInt(group, 16), i * 2)
  return bytes
}
