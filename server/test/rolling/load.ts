import { randomUUID } from 'node:crypto'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'

/** Pause between two requests of a client: the load must not keep two cores from starting a process. */
const PAUSE_MS = 40
const POLL_SECONDS = 5
const UPLOAD_BYTES = 60_000
const UPLOAD_PIECES = 20
const PIECE_PAUSE_MS = 100

interface Sent {
  method?: string
  path: string
  key: string
  headers?: Record<string, string>
  body?: string
  /** Sends the body slowly, in pieces. */
  pieces?: Buffer[]
}

export interface Load {
  /** Every request that did not get the expected response. */
  failures: string[]
  /** Responses by kind of request. */
  counts: Record<string, number>
  /** Descriptions of the tasks whose creation got a 201. */
  created: string[]
  stop(): Promise<void>
}

/**
 * Clients with keep-alive connections that never retry: reads, creations with and without an idempotency key, long
 * polls, and slow uploads.
 */
export function startLoad(parties: {
  base: string
  /** The key that creates tasks. */
  apiKey: string
  /** This agent has no events, so its long polls last until they are ended. */
  idleKey: string
  beginUpload(bytes: Buffer): Promise<{ id: string; token: string }>
}): Load {
  const { base, apiKey, idleKey } = parties
  const failures: string[] = []
  const counts: Record<string, number> = {}
  const created: string[] = []
  const ending = new AbortController()
  const agents: Agent[] = []

  async function client(
    kind: string,
    wanted: number,
    next: () => Promise<Sent>,
    done?: (sent: Sent) => void,
  ) {
    const agent = new Agent({ keepAlive: true, maxSockets: 1 })
    agents.push(agent)
    while (!ending.signal.aborted) {
      const sent = await next()
      const outcome = await send(base, sent, agent)
      counts[kind] = (counts[kind] ?? 0) + 1
      if (outcome === wanted) done?.(sent)
      else failures.push(`${kind}: ${outcome} instead of ${wanted}`)
      await sleep(PAUSE_MS)
    }
  }

  const read = async (): Promise<Sent> => ({ path: '/wallet', key: apiKey })
  const poll = async (): Promise<Sent> => ({ path: `/events?wait=${POLL_SECONDS}`, key: idleKey })
  const create = async (headers: Record<string, string> = {}): Promise<Sent> => ({
    method: 'POST',
    path: '/tasks',
    key: apiKey,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify({ description: `Rolling ${randomUUID()}`, budget_cents: 100 }),
  })
  const note = ({ body }: Sent) =>
    void created.push((JSON.parse(body!) as { description: string }).description)
  const upload = async (): Promise<Sent> => {
    const bytes = Buffer.alloc(UPLOAD_BYTES, 65)
    const { id, token } = await parties.beginUpload(bytes)
    const size = UPLOAD_BYTES / UPLOAD_PIECES
    return {
      method: 'PATCH',
      path: `/worker/uploads/${id}`,
      key: token,
      headers: {
        'content-type': 'application/offset+octet-stream',
        'content-length': String(UPLOAD_BYTES),
        'upload-offset': '0',
      },
      pieces: Array.from({ length: UPLOAD_PIECES }, (_, i) =>
        bytes.subarray(i * size, (i + 1) * size),
      ),
    }
  }

  const clients = [
    ...Array.from({ length: 4 }, () => client('read', 200, read)),
    ...Array.from({ length: 2 }, () => client('create', 201, () => create(), note)),
    ...Array.from({ length: 2 }, () =>
      client('create once', 201, () => create({ 'idempotency-key': randomUUID() }), note),
    ),
    ...Array.from({ length: 3 }, () => client('long poll', 200, poll)),
    client('upload', 204, upload),
  ]

  return {
    failures,
    counts,
    created,
    async stop() {
      ending.abort()
      // A long poll may still be open; a request that is cut off here has not failed.
      const ended = Promise.all(clients)
      await Promise.race([ended, sleep((POLL_SECONDS + 10) * 1000, undefined, { ref: false })])
      for (const agent of agents) agent.destroy()
      await ended
    },
  }
}

/** The status of the response, or what happened to the connection instead. */
function send(base: string, { method, path, key, headers, body, pieces }: Sent, agent: Agent) {
  return new Promise<number | string>((resolve) => {
    const sending = request(
      base + path,
      { method, agent, headers: { authorization: `Bearer ${key}`, ...headers } },
      (response) => {
        response.once('error', (error) => resolve(`broken response (${error.message})`))
        response.resume().once('end', () => resolve(response.statusCode!))
      },
    )
    sending.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message))
    if (pieces === undefined) return void sending.end(body)
    void (async () => {
      for (const piece of pieces) {
        sending.write(piece)
        await sleep(PIECE_PAUSE_MS)
      }
      sending.end()
    })()
  })
}
