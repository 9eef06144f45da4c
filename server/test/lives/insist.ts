/** A client that repeats a request with the same key until it is acknowledged, and logs every acknowledgement. */
import { createHash } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Chance } from '../processor/chance.ts'
import type { Party } from './cast.ts'
import type { Acknowledged, LivesLog, Step } from './log.ts'
import type { Timeline } from './timeline.ts'

/** Longer than the server lets a request take. */
const ANSWERED_WITHIN_MS = 15_000
const RETRY_MS = 50

export interface Sent {
  life: string
  step: Step
  by: Party
  path: string
  body: unknown
  /** Null to send it without a key. */
  key: string | null
}

interface Received {
  status: number
  text: string
  isReplay: boolean
}

export type Insistent = ReturnType<typeof openInsistent>

export function openInsistent({
  bases,
  log,
  timeline,
  lostPercent,
  signal,
}: {
  bases: readonly string[]
  log: LivesLog
  timeline: Timeline
  lostPercent: number
  /** Ends requests that are still unacknowledged. */
  signal: AbortSignal
}) {
  const counts = { requests: 0, unanswered: 0, unavailable: 0, lost: 0, replays: 0 }
  /** The hash of the first response to each key; every later one must be equal to the byte. */
  const firsts = new Map<string, string>()

  /** The response, or undefined if the request has to be repeated. */
  async function attempt(sent: Sent, chance: Chance): Promise<Received | undefined> {
    counts.requests += 1
    const received = await post(chance.pick(bases), sent)
    if (received === undefined) {
      counts.unanswered += 1
      return undefined
    }
    const { status, text } = received
    if (status === 503 || status === 429) {
      counts.unavailable += 1
      return undefined
    }
    if (status >= 500) {
      report(sent, '5xx', received)
      return undefined
    }
    if (status === 409 && text.includes('"idempotency_in_progress"')) return undefined
    compare(sent, received)
    if (chance.integer(1, 100) > lostPercent) return received
    counts.lost += 1
    return undefined
  }

  function compare(sent: Sent, received: Received): void {
    if (received.isReplay) counts.replays += 1
    if (sent.key === null) return
    const first = firsts.get(sent.key)
    if (first === undefined) firsts.set(sent.key, hashOf(received))
    else if (first !== hashOf(received)) report(sent, 'mismatch', received)
  }

  function report(
    { life, step }: Sent,
    what: '5xx' | 'mismatch',
    { status, text }: Received,
  ): void {
    log.add({ kind: 'fault', at: Date.now(), life, step, what, status, text })
  }

  return {
    counts,

    async untilAcknowledged(sent: Sent, chance: Chance): Promise<Acknowledged> {
      const beganMs = performance.now()
      for (let attempts = 1; ; attempts += 1) {
        signal.throwIfAborted()
        const received = await attempt(sent, chance)
        if (received) {
          const ms = performance.now() - beganMs
          const line = lineOf(sent, received, { attempts, ms })
          timeline.acknowledge(ms)
          log.add(line)
          return line
        }
        await sleep(RETRY_MS)
      }
    },

    /** Sends an acknowledged request again, only to compare the response. */
    async repeat(sent: Sent): Promise<void> {
      const received = await post(bases[0]!, sent)
      if (received === undefined) throw new Error(`no response to the replay of ${sent.path}`)
      compare(sent, received)
    },
  }
}

function lineOf(
  { life, step, by, path, body, key }: Sent,
  received: Received,
  { attempts, ms }: { attempts: number; ms: number },
): Acknowledged {
  const { code, task } = parse(received.text)
  return {
    kind: 'acknowledged',
    at: Date.now(),
    life,
    step,
    by: by.id,
    path,
    body,
    key,
    status: received.status,
    hash: hashOf(received),
    task_id: task?.id ?? null,
    task_status: task?.status ?? null,
    code: code ?? null,
    isReplay: received.isReplay,
    attempts,
    ms: Math.round(ms),
  }
}

/** Undefined if there was no response, or only a part of one. */
async function post(base: string, { path, body, by, key }: Sent): Promise<Received | undefined> {
  try {
    const response = await fetch(base + path, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        authorization: `Bearer ${by.bearer}`,
        ...(key === null ? {} : { 'idempotency-key': key }),
      },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(ANSWERED_WITHIN_MS),
    })
    const text = await response.text()
    const isReplay = response.headers.get('idempotency-replayed') === 'true'
    return { status: response.status, text, isReplay }
  } catch {
    return undefined
  }
}

interface Shown {
  code?: string
  task?: { id: string; status: string }
}

/** A balancer's own response is not JSON. */
function parse(text: string): Shown {
  try {
    return JSON.parse(text) as Shown
  } catch {
    return { code: text.slice(0, 100) }
  }
}

const hashOf = ({ status, text }: Received) =>
  createHash('sha256').update(`${status} ${text}`).digest('hex')
