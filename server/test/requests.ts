/**
 * One valid request for every operation, on a real object in a state in which its owner’s call succeeds. The
 * authorization matrix and the tests of foreign ids and of the Idempotency-Key send them. A new endpoint is listed here
 * once, and only if it needs an object, a body, a query or an emailed link.
 */
import assert from 'node:assert/strict'
import { createECDH, createHash, randomBytes, randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { type Json, type Marketplace, PHOTO, QUICK_HASH, type TestWorker } from './harness.ts'
import { mintLink as mintAgentLink } from '../src/agents/mail-links.ts'
import type { AnyEndpoint } from '../src/kit/endpoint.ts'
import { mintId, shardOf } from '../src/kit/ids.ts'
import { type Asker, columnOf } from '../src/questions/asker.ts'
import { mintObjectionLink } from '../src/workers/decisions.ts'
import { mintEmailLink } from '../src/workers/email-changes.ts'
import { mintLink } from '../src/workers/links.ts'
import { shutOutWorker } from '../src/workers/shut-out.ts'
import { newEmail, PASSWORD } from './people.ts'
import { registerClient } from '../src/oauth/clients.ts'
import { logInLink, member } from './team.ts'
import { closeAlone } from './decisions.ts'
import { openOAuthClient, REDIRECT } from './oauth.ts'

/** The address of an agent’s server that is never called. */
const NOWHERE = 'http://127.0.0.1:9/'
export const CANARY = `canary${randomBytes(6).toString('hex')}`
const HOUR = 3_600_000
const NEW_QUESTION = 'Where is it?'
const BYTES = Buffer.from(PHOTO.split(',')[1]!, 'base64')

export type Client = ReturnType<Marketplace['client']>

/** The owner of a request's objects: an agent's client, and the worker who does its tasks. */
export interface Owner {
  agent: Client
  worker: TestWorker
  /** Whether its objects carry the canary. */
  isVictim?: boolean
}

type ObjectName =
  | 'pending'
  | 'held'
  | 'submitted'
  | 'disputed'
  | 'appealed'
  | 'completed'
  | 'key'
  | 'request'
  | 'event'
  | 'upload'
  | 'device'
  | 'worker'
  | 'session'
  | 'question'
  | 'agent_question'
  | 'app'
  | 'connection'
  | 'person'

/** An operation → the object that its path or body names. */
export const OBJECTS: Record<string, ObjectName> = {
  'GET /tasks/:id': 'submitted',
  'GET /tasks/:id/proof': 'submitted',
  'POST /tasks/:id/approve': 'submitted',
  'POST /tasks/:id/dispute': 'submitted',
  'POST /tasks/:id/dispute/withdraw': 'disputed',
  'POST /tasks/:id/dispute/answer': 'appealed',
  'POST /tasks/:id/request-revision': 'submitted',
  'POST /tasks/:id/cancel': 'pending',
  'POST /tasks/:id/payout': 'completed',
  'PATCH /agents/keys/:id': 'key',
  'POST /agents/keys/:id/rotate': 'key',
  'DELETE /agents/keys/:id': 'key',
  'DELETE /agents/connections/:id': 'connection',
  'GET /console/connect': 'app',
  'POST /console/connect': 'app',
  'GET /requests/:id': 'request',
  'POST /events/:id/redeliver': 'event',
  'GET /worker/feed/:id': 'pending',
  'POST /worker/tasks/:id/accept': 'pending',
  'POST /worker/tasks/:id/report': 'pending',
  'GET /worker/tasks/:id': 'held',
  'POST /worker/tasks/:id/proof': 'held',
  'POST /worker/tasks/:id/release': 'held',
  'POST /worker/tasks/:id/unsafe': 'held',
  'POST /worker/tasks/:id/check-in': 'held',
  'POST /worker/tasks/:id/check-in/ok': 'held',
  'POST /worker/uploads': 'held',
  'HEAD /worker/uploads/:id': 'upload',
  'PATCH /worker/uploads/:id': 'upload',
  'POST /worker/tasks/:id/appeal': 'disputed',
  'DELETE /worker/push/:id': 'device',
  'POST /worker/push/:id/test': 'device',
  'GET /worker/:id/public': 'worker',
  'DELETE /worker/sessions/:id': 'session',
  'GET /worker/questions/:id': 'question',
  'POST /worker/questions/:id/replies': 'question',
  'POST /worker/questions/:id/close': 'question',
  'GET /agents/questions/:id': 'agent_question',
  'POST /agents/questions/:id/replies': 'agent_question',
  'POST /agents/questions/:id/close': 'agent_question',
  'PATCH /console/people/:id': 'person',
  'DELETE /console/people/:id': 'person',
}

function done({ status, body, text }: { status: number; body: Json; text: string }): Json {
  assert(status < 300, text)
  return body
}

/** Creates the object through API calls. */
export async function makeObject(
  market: Marketplace,
  name: ObjectName,
  owner: Owner,
): Promise<string> {
  const { agent, worker } = owner
  const mark = owner.isVictim ? ` ${CANARY}` : ''
  switch (name) {
    case 'key':
      return done(await agent.post('/agents/keys', { name: `key${mark}`, scopes: ['read'] })).key.id
    case 'app': {
      // It belongs to nobody: everyone sees what it calls itself.
      const metadata = { client_name: 'app', redirect_uris: [REDIRECT] }
      return (await registerClient(market.server.db.shards, metadata, market.now())).client_id
    }
    case 'connection': {
      const request = { client_id: await makeObject(market, 'app', owner) }
      await openOAuthClient(market).connect(agent, { request })
      return done(await agent.get('/agents/connections')).connections[0].id
    }
    case 'request': {
      const refused = await agent.post('/tasks', { description: '', note: mark })
      assert.equal(refused.status, 400, refused.text)
      const id = refused.body.request_id as string
      for (let i = 0; i < 200; i += 1) {
        if ((await agent.get(`/requests/${id}`)).status === 200) return id
        await sleep(100)
      }
      throw new Error('the refused request was not kept')
    }
    case 'event': {
      done(await agent.patch('/agents/me', { webhook_url: NOWHERE }))
      const id = await post(agent, mark)
      done(await agent.post(`/tasks/${id}/cancel`))
      await market.events()
      return done(await agent.get('/events')).events[0].id
    }
    case 'worker':
      return worker.id
    case 'session':
      return addSession(market, worker.id)
    case 'question':
      return addQuestion(market, { kind: 'worker', id: worker.id }, mark)
    case 'agent_question': {
      const { id } = done(await agent.get('/agents/me')).agent as { id: string }
      return addQuestion(market, { kind: 'agent', id }, mark)
    }
    case 'person': {
      const { id } = done(await agent.get('/console/session')).agent as { id: string }
      return (await member(market, { id }, 'finance', { name: `Fin${mark}` })).id
    }
    case 'device':
      return done(await worker.post('/worker/push', newDevice())).subscription.id
    case 'upload': {
      const id = await makeObject(market, 'held', owner)
      return done(await worker.post('/worker/uploads', uploadOf(id))).upload_id
    }
    default:
      return makeTask(name, owner, mark)
  }
}

/** A login on another device. */
async function addSession(market: Marketplace, workerId: string): Promise<string> {
  const now = market.now()
  const id = mintId('wss', now, shardOf(workerId))
  await market.asOwner(
    `insert into worker_sessions
     select $1, id, session_version, 'Chrome', 'Android', $2, $2, $2::timestamptz + interval '7 days'
       from workers where id = $3`,
    [id, now, workerId],
  )
  return id
}

/** A question. Written as rows, because nobody in test mode can ask. */
async function addQuestion(market: Marketplace, asker: Asker, mark: string): Promise<string> {
  const now = market.now()
  const shard = shardOf(asker.id)
  const id = mintId('wqn', now, shard)
  const column = columnOf(asker)
  await market.asOwner(
    `insert into questions (id, ${column}, subject, created_at, waits_since, due_at)
     values ($1, $2, 'other', $3, $3, $3)`,
    [id, asker.id, now],
  )
  await market.asOwner(
    `insert into question_messages (id, question_id, ${column}, number, author, text, created_at)
     values ($1, $2, $3, 1, $4, $5, $6)`,
    [mintId('wqm', now, shard), id, asker.id, asker.kind, `What now?${mark}`, now],
  )
  return id
}

/** The states of a task as an object. */
export const STEPS = ['pending', 'held', 'submitted', 'disputed', 'appealed', 'completed'] as const

async function makeTask(
  name: (typeof STEPS)[number],
  { agent, worker }: Owner,
  mark: string,
): Promise<string> {
  const id = await post(agent, mark)
  const at = STEPS.indexOf(name)
  if (at >= 1) done(await worker.post(`/worker/tasks/${id}/accept`))
  if (at >= 2) done(await worker.post(`/worker/tasks/${id}/proof`, { text: `Done${mark}` }))
  if (name === 'completed') done(await agent.post(`/tasks/${id}/approve`))
  else if (at >= 3) done(await agent.post(`/tasks/${id}/dispute`, { reason: `No${mark}` }))
  if (name === 'appealed')
    done(await worker.post(`/worker/tasks/${id}/appeal`, { statement: `Yes${mark}` }))
  return id
}

const post = async (agent: Client, mark: string): Promise<string> =>
  done(
    await agent.post('/tasks', {
      title: `Look${mark}`,
      description: `Look${mark}`,
      budget_cents: 1000,
      context: { sim: 'me' },
    }),
  ).task.id

function newDevice(): Json {
  const keys = createECDH('prime256v1')
  keys.generateKeys()
  const auth = randomBytes(16).toString('base64url')
  return {
    endpoint: NOWHERE + randomUUID(),
    keys: { p256dh: keys.getPublicKey('base64url'), auth },
  }
}

const uploadOf = (taskId: string) => ({
  task_id: taskId,
  kind: 'photo',
  content_type: 'image/png',
  bytes: BYTES.length,
  sha256: createHash('sha256').update(BYTES).digest('hex'),
})

export interface Request {
  method: string
  path: string
  headers: Record<string, string>
  body: unknown
}

/** An app's authorization request, as in the address of the consent page. */
const ASKED = {
  response_type: 'code',
  redirect_uri: REDIRECT,
  code_challenge: 'x'.repeat(43),
  code_challenge_method: 'S256',
}

/** An operation → its body; operations that are not listed have an empty one. */
const BODIES: Record<string, (market: Marketplace, id: string) => unknown> = {
  'POST /tasks': () => ({ description: 'Look', budget_cents: 1000 }),
  'POST /tasks/:id/approve': () => ({ tip_cents: 100 }),
  'POST /tasks/:id/dispute': () => ({ reason: 'No' }),
  'POST /tasks/:id/dispute/answer': () => ({ statement: 'No' }),
  'POST /tasks/:id/request-revision': () => ({ note: 'Again' }),
  'POST /verify': () => ({ question: 'Open?' }),
  'POST /call': () => ({ description: 'Ask', number: '+14155550100' }),
  'POST /gut-check': () => ({ content: 'A', scale: '1-5' }),
  'POST /field': () => ({ mission: 'Go' }),
  'POST /escalate': () => ({ situation: 'Sad', person: { name: 'Ann' } }),
  'POST /vibe': () => ({ url: 'https://a.example/' }),
  'POST /wallet/deposit': () => ({ amount_cents: 2500 }),
  'POST /agents/register': () => ({ name: 'New', email: newEmail() }),
  'POST /agents/recover': () => ({ email: newEmail() }),
  'POST /console/people/log-in-links': () => ({ email: newEmail() }),
  'POST /console/people': () => ({ name: 'New', email: newEmail(), role: 'finance' }),
  'PATCH /console/people/:id': () => ({ role: 'reviewer' }),
  'PATCH /console/session': () => ({ mode: 'live' }),
  'POST /agents/keys': () => ({ name: 'one', task_max_cents: 1 }),
  'PATCH /agents/keys/:id': () => ({ name: 'other' }),
  'POST /console/connect': (_, id) => ({
    ...ASKED,
    client_id: id,
    scopes: ['read'],
    budget_cents: 1,
    days: 1,
  }),
  'PATCH /agents/me': () => ({ name: 'Renamed' }),
  'POST /events/replay': (market) => ({
    from: new Date(market.now().getTime() - 86_400_000).toISOString(),
  }),
  'POST /webhooks/ping': () => ({ url: NOWHERE }),
  'POST /test/agents': () => ({ name: 'New' }),
  'POST /test/clock/advance': () => ({ by: '1s' }),
  'POST /do-not-contact/requests': () => ({ kind: 'phone', value: '+493012345678' }),
  'POST /worker/register': () => ({
    name: 'Ann',
    email: newEmail(),
    password: PASSWORD,
  }),
  'POST /worker/verify/resend': () => ({ email: newEmail() }),
  'POST /worker/password/forgot': () => ({ email: newEmail() }),
  'POST /worker/email': () => ({ email: newEmail(), current_password: PASSWORD }),
  'POST /worker/password': () => ({
    current_password: PASSWORD,
    password: `${PASSWORD} ${randomUUID()}`,
  }),
  'POST /worker/close': () => ({ current_password: PASSWORD }),
  'POST /worker/tasks/:id/proof': () => ({ text: 'Done' }),
  'POST /worker/tasks/:id/appeal': () => ({ statement: 'Look' }),
  'POST /worker/tasks/:id/report': () => ({ kind: 'scam' }),
  'POST /worker/tasks/:id/check-in': (market) => ({
    at: new Date(market.now().getTime() + HOUR).toISOString(),
  }),
  'POST /worker/uploads': (_, id) => uploadOf(id),
  'PATCH /worker/uploads/:id': () => BYTES,
  'PUT /worker/profile': () => ({ name: 'Renamed' }),
  'POST /worker/notices/read': (market) => ({ up_to: mintId('ntc', market.now(), 7) }),
  'POST /worker/push': () => newDevice(),
  'POST /worker/questions': () => ({ subject: 'other', text: `${NEW_QUESTION} ${randomUUID()}` }),
  'POST /worker/questions/:id/replies': () => ({ text: 'And where is it now?' }),
  'POST /agents/questions': () => ({ subject: 'other', text: `${NEW_QUESTION} ${randomUUID()}` }),
  'POST /agents/questions/:id/replies': () => ({ text: 'And where is it now?' }),
  'POST /worker/stripe/connect': () => ({ country: 'US' }),
}

/** Restores what a successful call has changed, and the next caller needs. */
const RESTORES: Record<string, (market: Marketplace) => Promise<void>> = {
  'POST /worker/password': restorePasswords,
  'POST /worker/close': keepAccounts,
  'POST /agents/questions': forgetQuestions,
}

async function restorePasswords(market: Marketplace): Promise<void> {
  const changed = await market.db.reader
    .selectFrom('workers')
    .select('id')
    .where('mode', '=', 'live')
    .where('password_hash', '<>', QUICK_HASH)
    .execute()
  // One by one, because a transaction must stay in one database.
  for (const { id } of changed)
    await market.asOwner('update workers set password_hash = $1 where id = $2', [QUICK_HASH, id])
}

/** Only a few questions of an agent may wait at a time, and be asked in a day. */
async function forgetQuestions(market: Marketplace): Promise<void> {
  const asked = await market.db.reader
    .selectFrom('question_messages')
    .select('question_id')
    .where('agent_id', '<>', '')
    .where('text', 'like', `${NEW_QUESTION}%`)
    .execute()
  for (const { question_id } of asked) {
    await market.asOwner('delete from question_messages where question_id = $1', [question_id])
    await market.asOwner('delete from questions where id = $1', [question_id])
  }
}

/** A worker whose account is being closed can't accept tasks. */
async function keepAccounts(market: Marketplace): Promise<void> {
  const closing = await market.db.reader
    .selectFrom('workers')
    .select('id')
    .where('closing_at', 'is not', null)
    .execute()
  for (const { id } of closing) {
    await market.asOwner('delete from worker_closings where worker_id = $1', [id])
    await market.asOwner('update workers set closing_at = null, closes_at = null where id = $1', [
      id,
    ])
  }
}

export async function restoreAfter(market: Marketplace, name: string): Promise<void> {
  await RESTORES[name]?.(market)
}

/** Query of an operation that needs one. */
const QUERIES: Record<string, string> = {
  'GET /quote': '?type=custom',
  'GET /console/connect': `?${new URLSearchParams(ASKED)}&client_id=:id`,
}

export function requestFor(
  market: Marketplace,
  { method, path }: { method: string; path: string },
  id: string | undefined,
): Request {
  const name = `${method} ${path}`
  const isBodiless = ['GET', 'HEAD', 'DELETE'].includes(method)
  const isPiece = name === 'PATCH /worker/uploads/:id'
  return {
    method,
    path: (path + (QUERIES[name] ?? '')).replace(':id', id ?? ':id'),
    headers: isPiece
      ? { 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' }
      : {},
    body: isBodiless ? undefined : (BODIES[name]?.(market, id ?? '') ?? {}),
  }
}

/** A link that logs a person in; only our pages may send it. */
const personLink = (market: Marketplace) => ({
  mint: async (livesMs = HOUR) => {
    const { email } = await member(market, await market.agent(), 'finance')
    return logInLink(market, { email, livesMs })
  },
  carry: (token: string) => ({
    body: { token },
    headers: { origin: new URL(market.server.addresses.api!).origin },
  }),
})

/** Emailed links: how to create one for an operation, and the request that carries it. */
export function mailedLinks(market: Marketplace) {
  const newWorker = () => market.worker({ approvals: 100 })
  const workerLink = (workerId: string, purpose: 'verify' | 'reset', livesMs = HOUR) =>
    market
      .at(workerId)
      .transaction((tx) => mintLink(tx, { workerId, purpose, livesMs, now: market.now() }))
  const agentLink = async (purpose: 'verify' | 'recover', livesMs = HOUR) => {
    const { id: agentId, email } = await market.agent()
    return market
      .at(agentId)
      .transaction((tx) =>
        mintAgentLink(tx, { agentId, email, purpose, livesMs, now: market.now() }),
      )
  }
  const objectionLink = async (workerId: string, livesMs = HOUR) => {
    const given = { config: market.server.config, now: market.now() }
    const about = { reason: 'x', taskIds: [], operator: 'ada', kind: 'closed' as const }
    await closeAlone(market)
    const { link } = await market.at(workerId).transaction(async (tx) => {
      const decision = await shutOutWorker(tx, { workerId, ...about, ...given })
      assert('id' in decision)
      return mintObjectionLink(tx, { decisionId: decision.id, livesMs, ...given })
    })
    return new URL(link).searchParams.get('token')!
  }

  const emailLink = async (purpose: 'confirm' | 'undo', livesMs = HOUR) => {
    const { id: workerId, email } = await newWorker()
    const now = market.now()
    const changeId = mintId('wec', now, shardOf(workerId))
    await market.asOwner(
      `insert into worker_email_changes (id, worker_id, old_email, new_email, created_at, expires_at)
       values ($1, $2, $3, $4, $5, $6)`,
      [changeId, workerId, email, newEmail(), now, new Date(now.getTime() + livesMs)],
    )
    const { token } = await market
      .at(workerId)
      .transaction((tx) => mintEmailLink(tx, { changeId, purpose, now }))
    return token
  }

  const links: Record<
    string,
    {
      mint(livesMs?: number): Promise<string>
      carry(token: string): { path?: string; body?: Json; headers?: Record<string, string> }
    }
  > = {
    'POST /agents/recover/confirm': {
      mint: (livesMs) => agentLink('recover', livesMs),
      carry: (token) => ({ body: { token } }),
    },
    'POST /console/people/session': personLink(market),
    'POST /agents/verify': {
      mint: (livesMs) => agentLink('verify', livesMs),
      carry: (token) => ({ body: { token } }),
    },
    'GET /worker/verify': {
      mint: async (livesMs) => workerLink((await newWorker()).id, 'verify', livesMs),
      carry: (token) => ({ path: `/worker/verify?token=${token}` }),
    },
    'POST /worker/verify': {
      mint: async (livesMs) => workerLink((await newWorker()).id, 'verify', livesMs),
      carry: (token) => ({ body: { token } }),
    },
    'POST /worker/password/reset': {
      mint: async (livesMs) => workerLink((await newWorker()).id, 'reset', livesMs),
      carry: (token) => ({ body: { token, password: PASSWORD } }),
    },
    'POST /worker/email/confirm': {
      mint: (livesMs) => emailLink('confirm', livesMs),
      carry: (token) => ({ body: { token } }),
    },
    'POST /worker/email/undo': {
      mint: (livesMs) => emailLink('undo', livesMs),
      carry: (token) => ({ body: { token } }),
    },
    'GET /worker/objections': {
      mint: async (livesMs) => objectionLink((await newWorker()).id, livesMs),
      carry: (token) => ({ path: `/worker/objections?token=${token}` }),
    },
    'POST /worker/objections': {
      mint: async (livesMs) => objectionLink((await newWorker()).id, livesMs),
      carry: (token) => ({ body: { token, statement: 'No' } }),
    },
    'POST /worker/objections/payout-account': {
      mint: async (livesMs) => objectionLink((await newWorker()).id, livesMs),
      carry: (token) => ({ body: { token, country: 'US' } }),
    },
  }
  return { links, workerLink, agentLink, objectionLink }
}

/** The request for an endpoint, with everything that must exist first: the object, its owner, the link. */
export async function prepareRequest(
  market: Marketplace,
  endpoint: AnyEndpoint,
  agent: Client,
): Promise<{ id?: string; body: Json; token?: string }> {
  const name = `${String(endpoint.method)} ${endpoint.path}`
  const link = mailedLinks(market).links[name]
  if (link !== undefined) return { body: link.carry(await link.mint()).body ?? {} }
  const object = OBJECTS[name]
  const worker = await market.worker({ approvals: 100 })
  const id = object === undefined ? undefined : await makeObject(market, object, { agent, worker })
  const { body } = requestFor(market, { method: endpoint.method, path: endpoint.path }, id)
  return {
    ...(id === undefined ? {} : { id }),
    body: body as Json,
    ...(endpoint.auth === 'worker' ? { token: await tokenFor(market, name, worker) } : {}),
  }
}

/** A new password ends every session except the one that chose it, so that one must be known: it began with a login. */
async function tokenFor(market: Marketplace, name: string, worker: TestWorker): Promise<string> {
  if (name !== 'POST /worker/password') return worker.token
  const login = { email: worker.email, password: PASSWORD }
  return done(await market.call('POST', '/worker/login', { body: login })).token
}
