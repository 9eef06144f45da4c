import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../jobs-child.ts'
import type { Json } from '../json.ts'
import { PHOTO } from '../harness.ts'
import { PASSWORD } from '../people.ts'
import type { Agent, Worker } from './world.ts'

/** Pause after each request of a client: the load must not keep two cores from starting a process. */
const PAUSE_MS = 60
const SELDOM = { pauseMs: 600 }
/** A round waits for two long polls. */
const POLL_SECONDS = 1
const BUDGET_CENTS = 100
const TIP_CENTS = 10
/**
 * A slower response is a failure. The migration runner gives up on a lock after 5 s, so nothing waits longer for a
 * migration that follows the rules.
 */
const SLOW_MS = 8_000
const PIXELS = Buffer.from(PHOTO.split(',')[1]!, 'base64')

/** One task from its creation to its end, as the API has acknowledged it. */
export interface Life {
  taskId: string
  description: string
  workerId: string
  end: 'completed' | 'cancelled'
}

export interface Load {
  /** Every request that did not get the expected response. */
  failures: string[]
  /** Responses by kind of request. */
  counts: Record<string, number>
  /** Acknowledged tasks: description by id. */
  created: Map<string, string>
  lives: Life[]
  /** Waits until every kind of request was answered, and every client began and ended two lives. */
  round(): Promise<Record<string, number>>
  stop(): Promise<void>
}

/** A request that failed: its client begins anew. */
class Failed extends Error {}

interface Sent {
  credential: string
  body?: unknown
  bytes?: Buffer
  headers?: Record<string, string>
}

type Send = (kind: string, wanted: number, route: string, sent: Sent) => Promise<Json>

/**
 * Clients that never retry, and use what the last release offers. Each worker's client takes tasks from creation to the
 * end; others register, log in, and read with old tokens, cookies and keys.
 */
export function startLoad(
  base: string,
  { agent, idle, workers }: { agent: Agent; idle: Agent; workers: Worker[] },
): Load {
  const failures: string[] = []
  const counts: Record<string, number> = {}
  const created = new Map<string, string>()
  const lives: Life[] = []
  const ending = new AbortController()
  const lifeCounts = workers.map(() => 0)

  const send: Send = async (kind, wanted, route, { credential, body, bytes, headers = {} }) => {
    const [method, path] = route.split(' ') as [string, string]
    const startedAt = performance.now()
    const outcome = await fetch(base + path, {
      method,
      headers: {
        ...(credential.includes('=') ? { cookie: credential } : {}),
        ...(credential === '' || credential.includes('=')
          ? {}
          : { authorization: `Bearer ${credential}` }),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      ...(bytes === undefined ? {} : { body: new Uint8Array(bytes) }),
    })
      .then(async (response) => ({ status: response.status, text: await response.text() }))
      .catch((error: Error) => ({ status: 0, text: explain(error) }))
    const ms = performance.now() - startedAt
    counts[kind] = (counts[kind] ?? 0) + 1
    const hasFailed = outcome.status !== wanted || ms > SLOW_MS
    if (hasFailed)
      failures.push(
        `${new Date().toISOString()} ${kind}: ${outcome.status} instead of ${wanted} after ${Math.round(ms)} ms: ` +
          outcome.text.slice(0, 300),
      )
    await sleep(PAUSE_MS)
    if (hasFailed) throw new Failed(kind)
    return outcome.text === '' ? {} : (JSON.parse(outcome.text) as Json)
  }

  const client = async (step: () => Promise<unknown>, { pauseMs = 0 } = {}) => {
    while (!ending.signal.aborted) {
      await step().catch((error: unknown) => {
        if (!(error instanceof Failed)) throw error
      })
      if (pauseMs > 0) await sleep(pauseMs)
    }
  }

  const clients = [
    ...workers.map((worker, i) => {
      let number = i
      return client(async () => {
        number += 1
        lives.push(await live(send, { agent, worker, number, created }))
        lifeCounts[i]! += 1
      })
    }),
    client(() => logIn(send, workers[Math.floor(Math.random() * workers.length)]!), SELDOM),
    client(() => register(send), SELDOM),
    client(() => read(send, agent, workers[0]!)),
    client(() =>
      send('long poll', 200, `GET /events?wait=${POLL_SECONDS}`, { credential: idle.api_key }),
    ),
  ]

  return {
    failures,
    counts,
    created,
    lives,
    async round() {
      const before = { ...counts }
      const lifeTargets = lifeCounts.map((count) => count + 2)
      await eventually('every kind of request was answered', 90_000, async () =>
        failures.length > 0 ||
        (KINDS.every((kind) => (counts[kind] ?? 0) > (before[kind] ?? 0) + 1) &&
          lifeCounts.every((count, i) => count >= lifeTargets[i]!))
          ? true
          : undefined,
      )
      return Object.fromEntries(KINDS.map((kind) => [kind, counts[kind]! - (before[kind] ?? 0)]))
    },
    async stop() {
      ending.abort()
      await Promise.all(clients)
    },
  }
}

const KINDS = [
  'create',
  'create again',
  'accept',
  'proof',
  'approve',
  'cancel',
  'upload',
  'feed',
  'login',
  'register',
  'session',
  'read',
  'long poll',
]

/** Creation, acceptance, proof and approval, with idempotency keys; every fourth task is cancelled instead. */
async function live(
  send: Send,
  {
    agent,
    worker,
    number,
    created,
  }: { agent: Agent; worker: Worker; number: number; created: Map<string, string> },
): Promise<Life> {
  const byAgent = () => ({ credential: agent.api_key, headers: keyed() })
  const byWorker = () => ({ credential: worker.token, headers: keyed() })
  const description = `Upgrade ${randomUUID()}`
  const creation = { ...byAgent(), body: { description, budget_cents: BUDGET_CENTS } }
  const { task } = await send('create', 201, 'POST /tasks', creation)
  const taskId = task.id as string
  created.set(taskId, description)
  // The key makes it the same task, whichever release stored the first response.
  const again = await send('create again', 201, 'POST /tasks', creation)
  if (again.task.id !== taskId) throw new Error(`one key made two tasks: ${taskId}`)
  const life = { taskId, description, workerId: worker.id }
  if (number % 4 === 0) {
    await send('cancel', 200, `POST /tasks/${taskId}/cancel`, byAgent())
    return { ...life, end: 'cancelled' }
  }
  await send('feed', 200, 'GET /worker/feed', { credential: worker.token })
  await send('accept', 200, `POST /worker/tasks/${taskId}/accept`, byWorker())
  const photos = number % 4 === 1 ? [await upload(send, worker, taskId)] : undefined
  await send('proof', 201, `POST /worker/tasks/${taskId}/proof`, {
    ...byWorker(),
    body: { text: 'Done', ...(photos && { photos }) },
  })
  await send('approve', 200, `POST /tasks/${taskId}/approve`, {
    ...byAgent(),
    body: number % 4 === 2 ? { tip_cents: TIP_CENTS } : {},
  })
  return { ...life, end: 'completed' }
}

const keyed = () => ({ 'idempotency-key': randomUUID() })

async function upload(send: Send, { token }: Worker, taskId: string): Promise<string> {
  const { upload_id } = await send('upload', 201, 'POST /worker/uploads', {
    credential: token,
    body: {
      task_id: taskId,
      kind: 'photo',
      content_type: 'image/png',
      bytes: PIXELS.length,
      sha256: createHash('sha256').update(PIXELS).digest('hex'),
    },
  })
  await send('upload', 204, `PATCH /worker/uploads/${upload_id}`, {
    credential: token,
    bytes: PIXELS,
    headers: { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
  })
  return upload_id as string
}

async function logIn(send: Send, worker: Worker): Promise<void> {
  const { token } = await send('login', 200, 'POST /worker/login', {
    credential: '',
    body: { email: worker.email, password: PASSWORD },
  })
  worker.token = token as string
}

/** fetch puts the reason, such as ECONNRESET, into the cause. */
const explain = ({ message, cause }: Error) =>
  cause instanceof Error ? `${message}: ${cause.message}` : message

async function register(send: Send): Promise<void> {
  await send('register', 201, 'POST /agents/register', {
    credential: '',
    body: { name: 'Agent', email: `${randomUUID()}@example.com` },
  })
}

async function read(send: Send, agent: Agent, worker: Worker): Promise<void> {
  for (const path of ['/wallet', '/tasks?limit=20', '/events?limit=20', '/agents/me'])
    await send('read', 200, `GET ${path}`, { credential: agent.api_key })
  for (const path of ['/worker/profile', '/worker/earnings', '/worker/tasks'])
    await send('session', 200, `GET ${path}`, { credential: worker.cookie })
}
