/** Sends an event to a receiver on this machine, signed like a real delivery (Standard Webhooks). */
import { createHmac } from 'node:crypto'
import { usage } from './exit.ts'

const TIMEOUT_MS = 10_000
/** A proxy responds with these while the receiver behind it restarts. */
const IS_DOWN = new Set([502, 503, 504])

export interface Event {
  id: string
  type: string
}

export interface Outcome {
  /** Undefined if there was no response; `problem` then says why. */
  status: number | undefined
  problem: string
  ms: number
  isDown: boolean
}

/** Accepts `3000/hooks`, `localhost:3000/hooks` and full URLs. */
export function readReceiver(text: string): string {
  const url = /^\d+(?:\/|$)/.test(text)
    ? `http://localhost:${text}`
    : /^https?:\/\//.test(text)
      ? text
      : `http://${text}`
  if (!URL.canParse(url))
    throw usage(`--forward-to ${text} is not a valid URL`, 'Use --forward-to localhost:3000/hooks.')
  return new URL(url).href
}

export async function forward(
  event: Event,
  { url, secrets, signal }: { url: string; secrets: readonly string[]; signal: AbortSignal },
): Promise<Outcome> {
  const startedAt = performance.now()
  const body = JSON.stringify(event)
  const ms = () => Math.round(performance.now() - startedAt)
  try {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'user-agent': 'Legwork-Webhooks/1',
        ...signatures(event.id, body, secrets),
      },
      body,
      // Real deliveries don't follow redirects either.
      redirect: 'manual',
      signal: AbortSignal.any([signal, AbortSignal.timeout(TIMEOUT_MS)]),
    })
    await response.arrayBuffer()
    const { status } = response
    return { status, problem: '', ms: ms(), isDown: IS_DOWN.has(status) }
  } catch (error) {
    return { status: undefined, problem: problemOf(error), ms: ms(), isDown: true }
  }
}

export const isTaken = ({ status }: Outcome) =>
  status !== undefined && status >= 200 && status < 300

/** One signature per secret, as during a secret rotation: any one of them is enough to verify. */
function signatures(id: string, body: string, secrets: readonly string[]) {
  const seconds = String(Math.floor(Date.now() / 1000))
  const sign = (secret: string) => {
    const key = Buffer.from(secret.replace(/^whsec_/, ''), 'base64')
    return `v1,${createHmac('sha256', key).update(`${id}.${seconds}.${body}`).digest('base64')}`
  }
  return {
    'webhook-id': id,
    'webhook-timestamp': seconds,
    'webhook-signature': secrets.map((secret) => sign(secret)).join(' '),
  }
}

function problemOf(error: unknown): string {
  if (error instanceof Error && error.name === 'TimeoutError') return 'no response within 10 s'
  // For fetch errors, the cause is more specific than the error.
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error
  const code = (cause as { code?: string }).code
  return code ?? (cause instanceof Error ? cause.message : String(cause))
}
