import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import os from 'node:os'
import path from 'node:path'
import pg from 'pg'
import { call, type CallInit, type Json, pushKeys } from '../harness.ts'
import { openInbox } from '../inbox.ts'
import { eventually } from '../jobs-child.ts'
import { PASSWORD, tokenOf } from '../people.ts'
import { openReceiver } from '../receiver.ts'
import { openSandbox } from '../sandbox.ts'

const DEPOSIT_CENTS = 1_000_000
/** The operator's own money. */
const OPERATOR_CENTS = 100_000

export interface Agent {
  id: string
  api_key: string
  webhook_secret: string
}

export interface Worker {
  id: string
  email: string
  /** Of the latest login. Each release must accept the tokens of the other. */
  token: string
  /** Of a session in a browser, begun at the start. */
  cookie: string
}

/**
 * An empty database and everything else that the processes of both releases share: a mail server, the sandbox
 * processor, a folder for files, an agent's webhook receiver.
 */
export async function openWorld() {
  const url = await createDatabase()
  const folder = await mkdtemp(path.join(os.tmpdir(), 'legwork-upgrade-'))
  const inbox = await openInbox()
  const sandbox = await openSandbox({ now: () => new Date() })
  const closers: (() => Promise<unknown>)[] = []
  const receiver = await openReceiver({ after: (end) => closers.push(end) })
  const settings: Record<string, string> = {
    PATH: process.env.PATH ?? '',
    NODE_ENV: 'test',
    NODE_COMPILE_CACHE: process.env.NODE_COMPILE_CACHE ?? '',
    DATABASE_URL: url,
    LOG_LEVEL: 'error',
    RATE_LIMITS: 'off',
    AGENT_CAPS: 'off',
    SHARD_DATABASES: '16',
    TRUST_PROXY: '127.0.0.1',
    FILES_DIR: folder,
    STOP_GRACE_SECONDS: '60',
    EVENT_LOOP_DELAY_MAX_MS: '0',
    LEVEL_WORKERS_MIN: '0',
    ELIGIBLE_WARNING: 'off',
    WORKER_TOKEN_KEYS: randomBytes(32).toString('base64'),
    WEBHOOK_SECRET_KEYS: randomBytes(32).toString('base64'),
    ...pushKeys(randomBytes(32)),
    WEBHOOK_ALLOW_CIDRS: '127.0.0.0/8,::1/128',
    WEBHOOK_DNS_SERVERS: '127.0.0.1:9',
    SMTP_URL: inbox.url,
    ...Object.fromEntries(
      Object.entries(sandbox.settings).map(([name, value]) => [name, String(value)]),
    ),
    // Under this load, a slow response of the sandbox is no fault of a release.
    STRIPE_TIMEOUT_MS: '20000',
  }

  return {
    url,
    settings,
    inbox,
    sandbox,
    receiver,
    query: (text: string, values: unknown[] = []) => query(url, text, values),
    /** The address of a copy of the database. Nothing may be connected to it meanwhile. */
    copyDatabase: () => createDatabase(`template ${new URL(url).pathname.slice(1)}`),
    async close(): Promise<void> {
      for (const close of closers) await close()
      await sandbox.stop()
      await inbox.stop()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type World = Awaited<ReturnType<typeof openWorld>>

/** Registers an agent with money and a webhook, and workers with confirmed emails, all through the API. */
export async function populate(world: World, base: string, workerCount: number) {
  await world.sandbox.tell(base)
  // Pays the processor's fees and free tasks. Without it, the reconciliation rightly logs an error.
  await world.sandbox.control('POST', 'topups', { amount: OPERATOR_CENTS })
  const agent = await registerAgent(world, base)
  await fund(world, base, agent)
  // Without any event, its long polls last until they end.
  const idle = await registerAgent(world, base)
  const workers: Worker[] = []
  for (let i = 0; i < workerCount; i += 1) workers.push(await registerWorker(world, base))
  return { agent, idle, workers }
}

async function registerAgent({ receiver }: World, base: string): Promise<Agent> {
  const name = `Agent ${randomUUID().slice(0, 8)}`
  const { agent } = await ok(base, 'POST', '/agents/register', {
    body: { name, email: `${randomUUID()}@example.com`, webhook_url: receiver.url },
  })
  return agent as Agent
}

async function fund({ sandbox }: World, base: string, { api_key }: Agent): Promise<void> {
  const headers = { authorization: `Bearer ${api_key}` }
  const deposit = await ok(base, 'POST', '/wallet/deposit', {
    headers,
    body: { amount_cents: DEPOSIT_CENTS },
  })
  await sandbox.pay(deposit.session_id as string)
  await eventually('the deposit arrives', 60_000, async () => {
    const { balance_cents } = await ok(base, 'GET', '/wallet', { headers })
    return balance_cents >= DEPOSIT_CENTS ? true : undefined
  })
}

export async function registerWorker({ inbox }: World, base: string): Promise<Worker> {
  const email = `${randomUUID()}@example.com`
  const credentials = { email, password: PASSWORD }
  const registered = await ok(base, 'POST', '/worker/register', {
    body: { name: 'Ann', ...credentials },
  })
  const mail = await eventually('the mail with the link', 60_000, () =>
    inbox.mailTo(email).catch(() => undefined),
  )
  await ok(base, 'POST', '/worker/verify', { body: { token: tokenOf(mail) } })
  const { token } = await ok(base, 'POST', '/worker/login', { body: credentials })
  const session = await call(base, 'POST', '/worker/session', {
    headers: { origin: new URL(base).origin },
    body: credentials,
  })
  const cookie = session.headers.getSetCookie()[0]?.split(';')[0]
  assert(cookie, session.text)
  return { id: registered.worker.id as string, email, token: token as string, cookie }
}

async function ok(base: string, method: string, to: string, init: CallInit = {}): Promise<Json> {
  const { status, body, text } = await call(base, method, to, init)
  assert(status < 300, `${method} ${to}: ${status} ${text}`)
  return body
}

async function createDatabase(options = ''): Promise<string> {
  const adminUrl = process.env.TEST_DATABASE_URL
  assert(adminUrl, 'TEST_DATABASE_URL is missing: run tests by `npm test`')
  const name = `upgrade_${randomBytes(6).toString('hex')}`
  await query(adminUrl, `create database ${name} ${options}`)
  const url = new URL(adminUrl)
  url.pathname = `/${name}`
  return url.href
}

async function query(url: string, text: string, values: unknown[] = []) {
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    return (await client.query<Record<string, unknown>>(text, values)).rows
  } finally {
    await client.end()
  }
}
