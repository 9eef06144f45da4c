/**
 * The callers and the objects of the requests: every kind of credential, and real objects in every state, so a mutated
 * request gets as far as the operation itself.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { CONSOLE_COOKIE } from '../../src/agents/console-cookie.ts'
import { SESSION_COOKIE } from '../../src/workers/session-cookie.ts'
import { shutOut } from '../decisions.ts'
import { type Json, type Marketplace, PHOTO, type TestWorker } from '../harness.ts'
import { openOAuthClient } from '../oauth.ts'
import { PASSWORD, registeredAgent, signUp } from '../people.ts'
import { mailedLinks } from '../requests.ts'
import { member, sessionOf } from '../team.ts'
import type { Random } from './random.ts'

export const KINDS = [
  'none',
  'live key',
  'test key',
  'key in x-api-key',
  'child key',
  'console cookie',
  'person cookie',
  'worker token',
  'test worker token',
  'worker cookie',
  'file link',
  'deleted key',
  'expired token',
  'garbage',
] as const
export type Kind = (typeof KINDS)[number]

/** The content of every upload here. */
export const UPLOAD = Buffer.from('a'.repeat(100))
const UPLOAD_SHA256 = createHash('sha256').update(UPLOAD).digest('hex')

/** Operations after which a worker's token is of no use, and whose token they take. */
const ENDING: Record<string, 'worker' | 'newPassword' | 'leaver'> = {
  'DELETE /worker/sessions': 'worker',
  'POST /worker/password': 'newPassword',
  'POST /worker/close': 'leaver',
}

type Client = ReturnType<Marketplace['client']>
type Mode = 'live' | 'test'

const KEPT = 8

interface Fresh {
  state: string
  id: string
}

/** How many tasks to create in each state: one for each operation that ends the state. */
const REACH: [state: string, steps: number][] = [
  ['pending', 0],
  ['pending', 0],
  ['pending', 0],
  ['held', 1],
  ['held', 1],
  ['held', 1],
  ['proved', 2],
  ['proved', 2],
  ['proved', 2],
  ['disputed', 3],
  ['disputed', 3],
  ['appealed', 4],
  ['done', 3],
]

export type Cast = Awaited<ReturnType<typeof openCast>>

export async function openCast(market: Marketplace) {
  const { origin } = new URL(market.server.addresses.api!)
  const agent = await market.agent({
    balanceCents: 50_000_000,
    webhook_url: 'http://127.0.0.1:9/x',
  })
  const clockAgent = await market.agent()
  const worker = await market.worker({ approvals: 100 })
  await market.onboard(worker)
  const person = await signUp(market)
  const testWorker = await playWorker(agent.test)
  const child = await market.key(agent, { scopes: ['read', 'review'] })
  const deleted = await market.key(agent)
  await agent.delete(`/agents/keys/${deleted.id}`)
  const longAgo = new Date(market.now().getTime() - 30 * 86_400_000)
  const expired = await market.tokens.sign({ workerId: worker.id, version: 1 }, longAgo)
  const consoleCookie = await beginConsole(market, agent)
  const owner = await member(market, agent, 'owner')
  const ownerId = { id: owner.id, agentId: agent.id }

  const objects = openObjects()
  const { fresh, once, keep } = objects

  /** Creates one object in each state and fresh email links, and repairs some of what earlier requests broke. */
  async function stage(): Promise<void> {
    fresh.live = []
    fresh.test = []
    market.advance(1000)
    await agent.patch('/agents/me', { webhook_url: 'http://127.0.0.1:9/x' })
    await agent.test.post('/wallet/deposit', { amount_cents: 100_000 })
    await worker.put('/worker/profile', { skills: [], languages: [], location: null })
    await stageConnection(market, agent, objects)
    await stageMode(objects, 'live', { client: agent, doer: worker })
    await stageMode(objects, 'test', {
      client: agent.test,
      doer: market.client(testWorker),
    })
    keep('live', 'worker', worker.id)
    keep('test', 'worker', worker.id)
    for (const use of ['push', 'push to delete']) {
      const push = await worker.post('/worker/push', deviceOf(market))
      keep('live', use, push.body.subscription?.id)
    }
    once.worker = (await market.worker()).token
    once.newPassword = (await market.worker()).token
    once.leaver = (await market.worker()).token
    keep('live', 'session', await newSession(market, worker))
    for (const [asker, path, name] of [
      [worker, '/worker/questions', 'question'],
      [agent, '/agents/questions', 'agent question'],
    ] as const) {
      const [one, other] = await openQuestions(asker, path)
      keep('live', name, one)
      keep('live', `${name} to close`, other)
    }
    once.console = await beginConsole(market, agent)
    await stageConsole(market, agent, objects)
    // A mutated request may have ended the session before, or changed its mode.
    once.owner = await sessionOf(market, ownerId)
    once.ownerOnce = await sessionOf(market, ownerId)
    await market.work()
  }

  return {
    origin,
    agent,
    worker,
    person,
    tokens: objects.tokens,
    once,
    pools: objects.pools,
    fresh,
    stage,
    stageMails: () => stageMails(market, agent, objects),
    testWorker,
    credential: openCredentials({
      origin,
      once,
      secrets: {
        agent,
        clockAgent,
        child: child.api_key,
        deleted: deleted.api_key,
        expired: expired.token,
        worker,
        testWorker,
        consoleCookie,
      },
    }),
  }
}

async function playWorker(maker: Pick<Client, 'post'>): Promise<string> {
  const { status, body, text } = await maker.post('/test/workers', {})
  assert.equal(status, 201, text)
  return body.token as string
}

/** A login on another device. */
async function newSession(market: Marketplace, worker: TestWorker): Promise<string | undefined> {
  const login = { email: worker.email, password: PASSWORD }
  await market.call('POST', '/worker/login', { body: login })
  const { body } = await worker.get('/worker/sessions')
  return body.sessions?.[0]?.id
}

/** Two open questions of a worker or an agent. New ones only if needed, because they can have only a few. */
async function openQuestions(
  asker: Pick<Client, 'get' | 'post'>,
  path: string,
): Promise<(string | undefined)[]> {
  const { body } = await asker.get(path)
  const open = ((body.questions ?? []) as Json[]).filter(({ status }) => status === 'open')
  // The oldest first, so that each keeps its use.
  const ids: (string | undefined)[] = open.map(({ id }) => id as string).sort()
  while (ids.length < 2) {
    // The same text again would be the same question.
    const text = `Who are you? (${ids.length + 1})`
    const asked = await asker.post(path, { subject: 'other', text })
    ids.push(asked.body.question?.id)
  }
  return ids
}

async function beginConsole(
  market: Marketplace,
  { api_key }: { api_key: string },
): Promise<string> {
  const { origin } = new URL(market.server.addresses.api!)
  const reply = await market.call('POST', '/console/session', {
    body: { api_key },
    headers: { origin },
  })
  assert.equal(reply.status, 201, reply.text)
  return reply.headers.getSetCookie()[0]!.split(';')[0]!
}

type Objects = ReturnType<typeof openObjects>

/** The objects that requests can name. */
function openObjects() {
  /** Ids by kind, separate for each mode; `tokens` are those of emailed links, each valid for one use. */
  const pools = { live: new Map<string, string[]>(), test: new Map<string, string[]>() }
  const tokens = new Map<string, string>()
  /** Objects that no valid request has used yet: only the first operation on a task in a given state succeeds. */
  const fresh = { live: [] as Fresh[], test: [] as Fresh[] }
  const once = {
    worker: '',
    newPassword: '',
    leaver: '',
    console: '',
    owner: '',
    ownerOnce: '',
    leavingPerson: '',
    link: '',
    linkTask: '',
  }
  const keep = (mode: Mode, name: string, id: unknown) => {
    if (typeof id === 'string')
      pools[mode].set(name, [...(pools[mode].get(name) ?? []), id].slice(-KEPT))
  }
  return { pools, tokens, fresh, once, keep }
}

/** Creates the objects of one mode. */
async function stageMode(
  { keep, fresh, pools, once }: Objects,
  mode: Mode,
  { client, doer }: { client: Pick<Client, 'get' | 'post'>; doer: Pick<Client, 'get' | 'post'> },
): Promise<void> {
  const create = async () => {
    const { body } = await client.post('/tasks', {
      description: 'Look',
      budget_cents: 500,
      proof_required: 'text',
      ...(mode === 'test' ? { context: { sim: 'me' } } : {}),
    })
    return (body as Json).task?.id as string | undefined
  }
  for (const [state, steps] of REACH) {
    const id = await create()
    if (id === undefined) continue
    if (steps >= 1) await doer.post(`/worker/tasks/${id}/accept`)
    if (steps >= 2) await doer.post(`/worker/tasks/${id}/proof`, { text: 'Done', photos: [PHOTO] })
    if (state === 'done') await client.post(`/tasks/${id}/approve`)
    else if (steps >= 3) await client.post(`/tasks/${id}/dispute`, { reason: 'No' })
    if (steps >= 4) await doer.post(`/worker/tasks/${id}/appeal`, { statement: 'Yes' })
    keep(mode, state, id)
    fresh[mode].push({ state, id })
    if (state !== 'held') continue
    const upload = await doer.post('/worker/uploads', uploadOf(id))
    keep(mode, 'upload', upload.body.upload_id)
  }
  for (let spare = 0; spare < 2; spare += 1) {
    const key = await client.post('/agents/keys', { name: 'spare', scopes: ['read'] })
    keep(mode, 'key', key.body.key?.id)
  }
  const proofs = await client.get(`/tasks/${pools[mode].get('proved')?.at(-1)}/proof?media=url`)
  const link = proofs.body.proofs?.[0]?.media?.[0]?.url as string | undefined
  if (link !== undefined && mode === 'live') {
    const { pathname, search } = new URL(link)
    keep('live', 'file', pathname.split('/').at(-1))
    once.link = search.slice(1)
  }
  const events = await client.get('/events?limit=5')
  keep(mode, 'event', events.body.events?.[0]?.id)
  await client.post('/tasks', { budget_cents: -1 })
  const requests = await client.get('/requests')
  keep(mode, 'request', requests.body.requests?.[0]?.id)
  const notices = await doer.get('/worker/notices')
  keep(mode, 'notice', notices.body.notices?.[0]?.id)
}

/** Creates the people of the console. */
async function stageConsole(
  market: Marketplace,
  agent: { id: string },
  { keep, once }: Objects,
): Promise<void> {
  for (const use of ['person', 'person to remove'])
    keep('live', use, (await member(market, agent, 'finance')).id)
  once.leavingPerson = (await member(market, agent, 'reviewer')).jar.cookie!
}

/** Creates an app that asks for access, and one that has it. The app has a key, of which an agent has only a few. */
async function stageConnection(
  market: Marketplace,
  agent: Pick<Client, 'get' | 'post'>,
  { keep, pools }: Objects,
): Promise<void> {
  const app = openOAuthClient(market)
  if (!pools.live.has('app')) keep('live', 'app', (await app.register()).body.client_id)
  const { body } = await agent.get('/agents/connections')
  if (body.connections.length === 0) await app.connect(agent).catch(() => {})
  const connected = await agent.get('/agents/connections')
  keep('live', 'connection', connected.body.connections[0]?.id)
}

/** Creates the links that arrive by email, which takes longer. */
async function stageMails(
  market: Marketplace,
  agent: Pick<Client, 'post'>,
  { tokens, once }: Objects,
): Promise<void> {
  const other = await registeredAgent(market)
  tokens.set('/agents/verify', other.verifyToken)
  tokens.set('/agents/recover/confirm', await (await registeredAgent(market)).loseKey())
  const verified = await signUp(market, { isVerified: false })
  tokens.set('GET /worker/verify', verified.linkToken)
  const newcomer = await signUp(market, { isVerified: false })
  tokens.set('POST /worker/verify', newcomer.linkToken)
  const forgetful = await signUp(market)
  tokens.set('/worker/password/reset', await forgetful.forget())
  const { links } = mailedLinks(market)
  for (const path of ['/worker/email/confirm', '/worker/email/undo', '/console/people/session'])
    tokens.set(path, await links[`POST ${path}`]!.mint())
  const guilty = await market.worker()
  once.linkTask = await disputedOf(agent, guilty)
  const { token } = await shutOut(market, guilty)
  tokens.set('/worker/objections', token)
}

async function disputedOf(agent: Pick<Client, 'post'>, guilty: TestWorker): Promise<string> {
  const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 500 })
  const { id } = body.task as { id: string }
  await guilty.post(`/worker/tasks/${id}/accept`)
  await guilty.post(`/worker/tasks/${id}/proof`, { text: 'Done' })
  await agent.post(`/tasks/${id}/dispute`, { reason: 'No' })
  return id
}

interface Secrets {
  agent: { api_key: string; test_api_key: string }
  /** Only this one's clock is moved. */
  clockAgent: { test_api_key: string }
  child: string
  deleted: string
  expired: string
  worker: { token: string }
  testWorker: string
  consoleCookie: string
}

/** Returns the headers for a kind of credential, and what it adds to the query. */
function openCredentials({
  origin,
  once,
  secrets,
}: {
  origin: string
  once: Objects['once']
  secrets: Secrets
}) {
  return (kind: Kind, name: string): { headers: [string, string][]; query: string } => {
    const bearer = (value: string): [string, string][] => [['authorization', `Bearer ${value}`]]
    const cookie = (value: string): [string, string][] => [
      ['cookie', value],
      ['origin', origin],
    ]
    const headers = ((): [string, string][] => {
      // These end the session they are called with, or the work of the worker.
      const ending = ENDING[name]
      if (ending !== undefined && /worker/.test(kind)) return bearer(once[ending])
      if (name === 'DELETE /console/session' && kind === 'console cookie')
        return cookie(once.console)
      if (name === 'DELETE /console/people/me' && kind === 'person cookie')
        return cookie(once.leavingPerson)
      // These end the session or change its mode.
      if (/^(?:DELETE|PATCH) \/console\/session$/.test(name) && kind === 'person cookie')
        return cookie(once.ownerOnce)
      switch (kind) {
        case 'none':
        case 'file link':
          return [['origin', origin]]
        case 'live key':
          return bearer(secrets.agent.api_key)
        case 'test key':
          return bearer(
            name.includes('/test/clock')
              ? secrets.clockAgent.test_api_key
              : secrets.agent.test_api_key,
          )
        case 'key in x-api-key':
          return [['x-api-key', secrets.agent.api_key]]
        case 'child key':
          return bearer(secrets.child)
        case 'console cookie':
          return cookie(secrets.consoleCookie)
        case 'person cookie':
          return cookie(once.owner)
        case 'worker token':
          return bearer(secrets.worker.token)
        case 'test worker token':
          return bearer(secrets.testWorker)
        case 'worker cookie':
          return cookie(`${SESSION_COOKIE}=${secrets.worker.token}`)
        case 'deleted key':
          return bearer(secrets.deleted)
        case 'expired token':
          return bearer(secrets.expired)
        case 'garbage':
          return [
            ['authorization', 'Bearer lw_live_garbage'],
            ['cookie', `${CONSOLE_COOKIE}=garbage; ${SESSION_COOKIE}=a.b.c`],
            ['origin', origin],
          ]
      }
    })()
    return { headers, query: kind === 'file link' ? once.link : '' }
  }
}

/** Picks the id that best fits a path, among those the caller could own. */
export function idFor(
  random: Random,
  { pools, fresh }: Cast,
  mode: Mode,
  path: string,
  { method = 'GET', isFresh = false } = {},
): string {
  const any = ['pending', 'held', 'proved', 'disputed', 'appealed', 'done']
  const wanted = ((): string[] => {
    if (!isFresh && random.chance(0.1)) return any
    if (path.startsWith('/agents/keys')) return ['key']
    if (path.startsWith('/agents/connections')) return ['connection']
    if (path.startsWith('/console/people'))
      return [method === 'DELETE' ? 'person to remove' : 'person']
    if (path.startsWith('/console/connect')) return ['app']
    if (path.startsWith('/requests')) return ['request']
    if (path.startsWith('/events')) return ['event']
    if (path.startsWith('/files')) return ['file']
    if (path.startsWith('/worker/uploads')) return ['upload']
    if (path.startsWith('/worker/sessions')) return ['session']
    const closes = path.endsWith('/close') ? ' to close' : ''
    if (path.startsWith('/worker/questions')) return [`question${closes}`]
    if (path.startsWith('/agents/questions')) return [`agent question${closes}`]
    if (path.startsWith('/worker/push')) return [path.endsWith('/test') ? 'push' : 'push to delete']
    if (path.endsWith('/public')) return ['worker']
    if (path.endsWith('dispute/withdraw')) return ['disputed', 'appealed']
    if (path.endsWith('dispute/answer')) return ['appealed']
    if (path.startsWith('/worker/tasks') && /proof|release|unsafe|check-in/.test(path))
      return ['held']
    if (/approve|request-revision|dispute|proof/.test(path)) return ['proved']
    if (path.endsWith('appeal')) return ['disputed']
    if (path.endsWith('payout')) return ['done']
    if (/cancel|accept|feed|report/.test(path)) return ['pending']
    return any
  })()
  const unused = isFresh ? fresh[mode].findIndex(({ state }) => state === wanted[0]) : -1
  if (unused !== -1) return fresh[mode].splice(unused, 1)[0]!.id
  const found = wanted.flatMap((name) => pools[mode].get(name) ?? [])
  return found.length === 0 ? 'task_00000000000000000000000000' : random.pick(found)
}

export const uploadOf = (taskId: string) => ({
  task_id: taskId,
  kind: 'photo',
  content_type: 'image/png',
  bytes: UPLOAD.length,
  sha256: UPLOAD_SHA256,
})

let devices = 0
export function deviceOf({ now }: Pick<Marketplace, 'now'>) {
  devices += 1
  return {
    endpoint: `http://127.0.0.1:9/${now().getTime()}-${devices}`,
    keys: {
      p256dh:
        'BCVxsr7N_eNgVRqvHtD0zTZsEc6-VV-JvLexhqUzORcxaOzi6-AYWXvTBHm4bjyPjs7Vd8pZGH6SRpkNtoIAiw4',
      auth: 'BTBZMqHH6r4Tts7J_aSIgg',
    },
  }
}
