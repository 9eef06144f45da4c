/**
 * Every key of the server is replaced under load, by the steps of docs/secrets.md: two API processes behind HAProxy
 * accept the new keys, then use them, then forget the old ones. `npm run test:secrets` runs it alone.
 */
import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import sharp from 'sharp'
import { type Json, marketplace, pushKeys } from '../harness.ts'
import { atEnd } from '../hooks.ts'
import { PASSWORD } from '../people.ts'
import { signature } from '../processor/notify.ts'
import { openPair, START_MAX_MS } from '../rolling/pair.ts'

const PAUSE_MS = 40
const PATIENCE = { timeout: 6 * START_MAX_MS }

interface Keys {
  WORKER_TOKEN_KEYS: string
  WEBHOOK_SECRET_KEYS: string
  FILES_LINK_KEY: string
  STRIPE_SECRETS_ACCOUNT: string
}

const makeKeys = (): Keys => ({
  WORKER_TOKEN_KEYS: randomBytes(32).toString('base64'),
  WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
  FILES_LINK_KEY: randomBytes(32).toString('hex'),
  STRIPE_SECRETS_ACCOUNT: `whsec_${randomBytes(16).toString('hex')}`,
})

/** Both sets of keys; the first ones are used, all are accepted. */
function ring(first: Keys, second: Keys): Keys {
  const names = Object.keys(first) as (keyof Keys)[]
  return Object.fromEntries(names.map((name) => [name, `${first[name]},${second[name]}`])) as never
}

const [OLD, NEW, OTHER] = [makeKeys(), makeKeys(), makeKeys()]
const [OLD_PUSH, NEW_PUSH] = [pushKeys(randomBytes(32)), pushKeys(randomBytes(32))]

const market = await marketplace({ clock: 'real' })
const logins = await Promise.all([makeLogin(), makeLogin()])
const pair = await openPair({
  STRIPE_SECRET_KEY: 'sk_test_sandbox',
  STRIPE_API_BASE: 'http://127.0.0.1:9',
  DRAIN_SECONDS: '0',
})
atEnd(() => pair.close())

describe('replacing every key', () => {
  test('fails no request, and the old keys are refused afterwards', PATIENCE, async () => {
    await pair.startBoth(asLogin(logins[0]!, { ...OLD, ...OLD_PUSH }))
    const agent = await market.agent({ freeTasks: false, balanceCents: 1_000_000 })
    const load = await startLoad(agent.api_key)

    await pair.rollDrained(asLogin(logins[0]!, { ...ring(OLD, NEW), ...OLD_PUSH }))
    const [oldToken, oldLink] = [load.token(), load.link()]
    const pushing = { ...NEW_PUSH, PUSH_OLD_PRIVATE_KEY: OLD_PUSH.PUSH_PRIVATE_KEY }
    await pair.rollDrained(asLogin(logins[1]!, { ...ring(NEW, OLD), ...pushing }))
    // The processor signs with its new secret. Workers and links get new signatures before the old key is removed.
    load.signWith(NEW.STRIPE_SECRETS_ACCOUNT)
    await load.renew()
    await pair.rollDrained(asLogin(logins[1]!, { ...NEW, ...NEW_PUSH }))
    await market.asOwner(`alter role ${logins[0]!} nologin`)
    await load.stop()

    assert.deepEqual(load.failures, [])
    for (const [kind, count] of Object.entries(load.counts)) assert(count > 20, `${kind}: ${count}`)
    console.log(`responses during three rolling restarts: ${JSON.stringify(load.counts)}`)
    assert.equal(await statusOf('/worker/profile', oldToken), 401)
    assert.equal((await fetch(oldLink)).status, 403)
    assert.equal(await notify(OLD.STRIPE_SECRETS_ACCOUNT), 400)
    const used = await market.asOwner(
      `select distinct usename as name from pg_stat_activity
        where datname = current_database() and usename = any($1)`,
      [logins],
    )
    assert.deepEqual(used, [{ name: logins[1] }])
  })

  test(
    'control: fails requests if the new keys replace the old ones in one step',
    PATIENCE,
    async () => {
      const agent = await market.agent({ freeTasks: false, balanceCents: 1_000_000 })
      const load = await startLoad(agent.api_key, NEW.STRIPE_SECRETS_ACCOUNT)

      await pair.rollDrained(asLogin(logins[1]!, { ...OTHER, ...NEW_PUSH }))
      await load.stop()

      const kinds = new Set(load.failures.map((failure) => failure.split(':')[0]))
      assert.deepEqual(kinds, new Set(['file', 'notification', 'worker']))
      console.log(`in one step, ${load.failures.length} requests failed`)
    },
  )
})

async function makeLogin(): Promise<string> {
  const name = `legwork_${randomBytes(4).toString('hex')}`
  await market.asOwner(`create role ${name} login in role legwork_app`)
  return name
}

/** The settings of a process that connects to the database with this login. */
function asLogin(login: string, settings: Record<string, string>): Record<string, string> {
  const url = new URL(market.url)
  url.username = login
  return { ...settings, DATABASE_URL: url.href }
}

/** Clients that never retry: a worker with a token, an agent with a link to a photo, the processor, and creations. */
async function startLoad(apiKey: string, secret = OLD.STRIPE_SECRETS_ACCOUNT) {
  const failures: string[] = []
  const counts: Record<string, number> = {}
  const ending = new AbortController()
  const worker = await market.worker({ approvals: 100 })
  const taskId = await submitPhoto(apiKey, worker.email)
  let [token, link, signsWith] = ['', '', secret]

  async function renew(): Promise<void> {
    token = await logIn(worker.email)
    const proof = await json('GET', `/tasks/${taskId}`, apiKey)
    link = /"(http[^"]+\/files\/[^"]+)"/.exec(JSON.stringify(proof))![1]!
  }

  async function client(kind: string, wanted: number, send: () => Promise<number>) {
    while (!ending.signal.aborted) {
      const status = await send().catch((error: Error) => error.message)
      counts[kind] = (counts[kind] ?? 0) + 1
      if (status !== wanted) failures.push(`${kind}: ${status} instead of ${wanted}`)
      await sleep(PAUSE_MS)
    }
  }

  await renew()
  const clients = [
    client('worker', 200, () => statusOf('/worker/profile', token)),
    client('file', 200, () => read(fetch(link))),
    client('notification', 200, () => notify(signsWith)),
    client('create', 201, () => create(apiKey)),
  ]
  return {
    failures,
    counts,
    token: () => token,
    link: () => link,
    renew,
    signWith(next: string) {
      signsWith = next
    },
    async stop() {
      ending.abort()
      await Promise.all(clients)
    },
  }
}

async function submitPhoto(apiKey: string, email: string): Promise<string> {
  const { task } = await json('POST', '/tasks', apiKey, {
    description: 'Photograph the door',
    proof_required: 'photo',
    budget_cents: 500,
  })
  const { id } = task as { id: string }
  const token = await logIn(email)
  await json('POST', `/worker/tasks/${id}/accept`, token)
  // Large enough to be shown as a link.
  const photo = await sharp(randomBytes(600 * 600 * 3), {
    raw: { width: 600, height: 600, channels: 3 },
  })
    .jpeg()
    .toBuffer()
  await json('POST', `/worker/tasks/${id}/proof`, token, {
    photos: [`data:image/jpeg;base64,${photo.toString('base64')}`],
  })
  return id
}

async function logIn(email: string): Promise<string> {
  const { token } = await json('POST', '/worker/login', undefined, { email, password: PASSWORD })
  return token as string
}

async function json(method: string, at: string, key?: string, body?: unknown): Promise<Json> {
  const response = await fetch(pair.base + at, {
    method,
    headers: {
      'content-type': 'application/json',
      ...(key === undefined ? {} : { authorization: `Bearer ${key}` }),
    },
    ...(method === 'GET' ? {} : { body: JSON.stringify(body ?? {}) }),
  })
  const text = await response.text()
  assert(response.ok, `${method} ${at}: ${response.status} ${text}`)
  return JSON.parse(text) as Json
}

async function read(responding: Promise<Response>): Promise<number> {
  const response = await responding
  await response.arrayBuffer()
  return response.status
}

const statusOf = (at: string, key: string) =>
  read(fetch(pair.base + at, { headers: { authorization: `Bearer ${key}` } }))

const create = (apiKey: string) =>
  read(
    fetch(`${pair.base}/tasks`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${apiKey}` },
      body: JSON.stringify({ description: `Task ${randomUUID()}`, budget_cents: 100 }),
    }),
  )

/** A notification of the processor, signed with `secret`. */
function notify(secret: string): Promise<number> {
  const body = JSON.stringify({
    id: `evt_${randomBytes(8).toString('hex')}`,
    object: 'event',
    type: 'balance.available',
    livemode: false,
    created: Math.floor(Date.now() / 1000),
    data: { object: { object: 'balance' } },
  })
  return read(
    fetch(`${pair.base}/processor/account`, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        'stripe-signature': signature(body, { secret, at: new Date() }),
      },
      body,
    }),
  )
}
