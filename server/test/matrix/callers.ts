/** Every kind of caller, with its credential, the facts about it, and the owner whose objects it targets. */
import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { CONSOLE_COOKIE } from '../../src/agents/console-cookie.ts'
import { restrictAgent } from '../../src/agents/restrict.ts'
import { type Mode, SCOPES } from '../../src/kit/endpoint.ts'
import { mintApiKey, sha256 } from '../../src/kit/secrets.ts'
import { SESSION_COOKIE } from '../../src/workers/session-cookie.ts'
import { shutOutWorker } from '../../src/workers/shut-out.ts'
import type { Marketplace, TestWorker } from '../harness.ts'
import type { Caller } from './expect.ts'
import { makeObject, OBJECTS, type Owner } from '../requests.ts'
import { closeAlone } from '../decisions.ts'
import { member } from '../team.ts'

type Headers = Record<string, string>

export interface Target {
  /** A fresh object, in a state in which the owner can act on it. */
  make(name: string): Promise<string>
  /** The object that refused calls share, because none of them may change it. */
  shared(name: string): Promise<string>
}

export interface Principal extends Caller {
  /** Fresh where the call may end the session. */
  headers(how?: { isFresh: boolean }): Promise<Headers> | Headers
  /** Whose objects it targets on agent endpoints, and on worker endpoints. */
  agentTarget: Target
  workerTarget: Target
  /** Whether the victim's objects are its own. */
  isVictim?: boolean
}

const HOUR = 3_600_000

const bearer = (secret: string): Headers => ({ authorization: `Bearer ${secret}` })
const apiKey = (secret: string): Headers => ({ 'x-api-key': secret })

const OWN = { owns: true, isVictim: true }
const LIMITED = { ...OWN, isLimited: true }

type Tools = ReturnType<typeof openTools>
type TestAgent = Awaited<ReturnType<Tools['newAgent']>>

export type World = Awaited<ReturnType<typeof openWorld>>

export async function openWorld(market: Marketplace) {
  const tools = openTools(market)
  const { newAgent, newWorker, targetOf, twinOf } = tools
  // The victim: an agent with a worker, live and in test mode.
  const a = await newAgent()
  const aTestId = await twinOf(a.id)
  const w = await newWorker()
  const testW = await newWorker('test', aTestId)
  const live = targetOf({ agent: a, worker: w, isVictim: true })
  const test = targetOf({ agent: a.test, worker: testW })

  // Others.
  const b = await newAgent()
  const bTestId = await twinOf(b.id)
  const v = await newWorker()
  const testV = await newWorker('test', bTestId)
  // The dashboard is for workers whom the processor has verified.
  for (const person of [w, v]) await market.onboard(person)
  const { body: trial } = await market.call('POST', '/test/agents', { body: {} })

  const restricted = await openRestricted(tools)
  const unverified = await newAgent({ isVerified: false })
  const ofUnverified = targetOf({ agent: unverified, worker: await newWorker() })

  // The number of refused requests kept per agent is bounded, and this matrix reaches the bound.
  for (const target of [live, test, restricted.target, ofUnverified])
    await target.shared('GET /requests/:id')

  const keys = await openKeys(tools, a)
  const workers = await openWorkers(tools, a)
  const tokens = await openTokens(tools, { victim: w, other: v })
  const callers = openCallers(tools, live)
  const victim = { agent: a, worker: w, testWorker: testW, test }
  const others = {
    agent: b,
    worker: v,
    testWorker: testV,
    trialKey: trial.agent.test_api_key as string,
  }
  const principals: Principal[] = [
    ...invalidCredentials(callers, { victim, tokens }),
    ...endedCredentials(callers, { keys, workers }),
    ...otherCallers(tools, callers, { others, test }),
    ...misplacedCredentials(tools, callers, victim),
    ...limitedKeys(callers, keys),
    // Agents in other states, on their own objects.
    callers.agent('restricted agent', () => bearer(restricted.agent.api_key), {
      owns: true,
      isRestricted: true,
      agentTarget: restricted.target,
    }),
    callers.agent('agent with an unverified email', () => bearer(unverified.api_key), {
      owns: true,
      agentTarget: ofUnverified,
    }),
    ...owners(tools, callers, victim),
  ]
  const endedKeys = {
    'deleted key': keys.deleted.api_key,
    'expired key': keys.expired.api_key,
    'rotated key after its grace': keys.rotatedLongAgo.api_key,
  }
  return {
    principals,
    victim: { agent: a, worker: w },
    others: { agent: b, worker: v },
    testW,
    live,
    endedKeys,
  }
}

function openTools(market: Marketplace) {
  const { origin } = new URL(market.server.addresses.api!)
  const { db } = market

  const newAgent = async ({ isVerified = true } = {}) => {
    const agent = await market.agent({ balanceCents: 10_000_000 })
    if (isVerified)
      await db.transaction((tx) =>
        tx
          .updateTable('agents')
          .set({ email_verified_at: market.now() })
          .where((where) => where.or([where('id', '=', agent.id), where('twin_id', '=', agent.id)]))
          .execute(),
      )
    return agent
  }
  const twinOf = async (id: string) =>
    (
      await db.reader
        .selectFrom('agents')
        .select('twin_id')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).twin_id
  /** A token for the worker's current session: some operations end all earlier ones. */
  const tokenOf = async ({ id }: { id: string }) => {
    const { session_version: version } = await db.reader
      .selectFrom('workers')
      .select('session_version')
      .where('id', '=', id)
      .executeTakeFirstOrThrow()
    return (await market.tokens.sign({ workerId: id, version }, market.now())).token
  }
  /** A worker whose client always has a valid token. */
  const newWorker = async (mode: Mode = 'live', agentId?: string): Promise<TestWorker> => {
    const worker = await market.worker({ approvals: 100, mode, ...(agentId ? { agentId } : {}) })
    const post: TestWorker['post'] = async (...request) =>
      market.client(await tokenOf(worker)).post(...request)
    return { ...worker, post }
  }
  const logIn = async (key: string): Promise<string> => {
    const { status, headers, text } = await market.call('POST', '/console/session', {
      body: { api_key: key },
      headers: { origin },
    })
    assert.equal(status, 201, text)
    return headers.getSetCookie()[0]!.split(';')[0]!
  }

  const loggedIn = new Map<string, Promise<string>>()
  const cookieOf = (key: string, how?: { isFresh: boolean }) => {
    if (how?.isFresh) return logIn(key)
    const cookie = loggedIn.get(key) ?? logIn(key)
    loggedIn.set(key, cookie)
    return cookie
  }

  function targetOf(owner: Owner, around = (make: () => Promise<string>) => make()): Target {
    const shared = new Map<string, Promise<string>>()
    const make = (name: string) => around(() => makeObject(market, OBJECTS[name]!, owner))
    return {
      make,
      shared(name) {
        const object = OBJECTS[name]!
        if (!shared.has(object)) shared.set(object, make(name))
        return shared.get(object)!
      },
    }
  }

  return { market, origin, newAgent, twinOf, tokenOf, newWorker, logIn, cookieOf, targetOf }
}

/** An agent that is restricted, except while its objects are made. */
async function openRestricted({ market, newAgent, newWorker, targetOf }: Tools) {
  const agent = await newAgent()
  const worker = await newWorker()
  const setRestricted = (isRestricted: boolean) =>
    market.db.transaction(async (tx) =>
      isRestricted
        ? restrictAgent(tx, { agentId: agent.id, why: 'operator', now: market.now() })
        : void (await tx
            .updateTable('agents')
            .set({ status: 'active', restricted_for: null })
            .where('id', '=', agent.id)
            .execute()),
    )
  await setRestricted(true)
  const target = targetOf({ agent, worker }, async (make: () => Promise<string>) => {
    await setRestricted(false)
    try {
      return await make()
    } finally {
      await setRestricted(true)
    }
  })
  return { agent, target }
}

type Keys = Awaited<ReturnType<typeof openKeys>>

/** Keys of the victim: limited, rotated, expired and deleted ones, and console sessions that were begun with them. */
async function openKeys({ market, origin, logIn }: Tools, victim: TestAgent) {
  const key = (limits: Record<string, unknown>) => market.key(victim, limits)
  const only = Object.fromEntries(
    await Promise.all(
      SCOPES.map(async (scope) => [scope, await key({ scopes: [scope] })] as const),
    ),
  )
  const confined = await key({ scopes: ['create', 'read', 'review'] })
  const confinedManager = await key({ scopes: ['create', 'manage'] })
  const capped = await key({ day_max_cents: 1 })
  const underCap = await key({ day_max_cents: 1_000_000_000 })
  const rotatedLongAgo = await key({})
  assert.equal((await victim.post(`/agents/keys/${rotatedLongAgo.id}/rotate`)).status, 201)
  const expiresAt = new Date(market.now().getTime() + 25 * HOUR)
  const expired = await key({ expires_at: expiresAt.toISOString() })
  const endedConsole = await logIn(victim.api_key)
  market.advance(24 * HOUR)
  const consoleOfExpired = await logIn(expired.api_key)
  const loggedOut = await logIn(victim.api_key)
  await market.call('DELETE', '/console/session', { headers: { cookie: loggedOut, origin } })
  const deleted = await key({})
  const consoleOfDeleted = await logIn(deleted.api_key)
  assert.equal((await victim.delete(`/agents/keys/${deleted.id}`)).status, 200)
  // After this hour the key, the grace period of the rotation and the first console session have expired.
  market.advance(HOUR)
  const rotated = await key({})
  assert.equal((await victim.post(`/agents/keys/${rotated.id}/rotate`)).status, 201)
  return {
    only,
    confined,
    confinedManager,
    capped,
    underCap,
    rotated,
    rotatedLongAgo,
    expired,
    deleted,
    consoles: {
      ofDeleted: consoleOfDeleted,
      ofExpired: consoleOfExpired,
      loggedOut,
      ended: endedConsole,
    },
  }
}

/** Workers in other states; each has its own objects, made while it was active. */
async function openWorkers({ market, newWorker, targetOf, tokenOf }: Tools, victim: TestAgent) {
  const stateTarget = async (worker: TestWorker) => {
    const target = targetOf({ agent: victim, worker })
    for (const name of Object.keys(OBJECTS))
      if (name.includes(' /worker/')) await target.shared(name)
    return target
  }
  const states = {
    suspended: await newWorker(),
    closed: await newWorker(),
    unverified: await newWorker(),
    loggedOut: await newWorker(),
  }
  const targets = {
    suspended: await stateTarget(states.suspended),
    closed: await stateTarget(states.closed),
    unverified: await stateTarget(states.unverified),
    loggedOut: await stateTarget(states.loggedOut),
  }
  await closeAlone(market)
  for (const kind of ['suspended', 'closed'] as const)
    await market.db.transaction(async (tx) => {
      const decision = await shutOutWorker(tx, {
        workerId: states[kind].id,
        kind,
        reason: 'x',
        taskIds: [],
        operator: 'ada',
        config: market.server.config,
        now: market.now(),
      })
      assert('id' in decision)
    })
  await market.asOwner(
    `update workers set status = 'unverified', verified_at = null where id = $1`,
    [states.unverified.id],
  )
  const endedToken = await tokenOf(states.loggedOut)
  await market.call('DELETE', '/worker/sessions', { headers: bearer(endedToken) })
  const freshUnverified = await tokenOf(states.unverified)
  const freshShutOut = await tokenOf(states.suspended)
  return { states, targets, endedToken, freshUnverified, freshShutOut }
}

/** A valid token of the victim, and others derived from it. */
async function openTokens(
  { market, tokenOf }: Tools,
  { victim, other }: { victim: TestWorker; other: TestWorker },
) {
  const token = await tokenOf(victim)
  const [head, claims, signature] = token.split('.') as [string, string, string]
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const decode = (text: string) =>
    JSON.parse(Buffer.from(text, 'base64url').toString()) as Record<string, unknown>
  const oldToken = await market.tokens.sign(
    { workerId: victim.id, version: 1 },
    new Date(market.now().getTime() - 8 * 24 * HOUR),
  )
  const oldVersion = await market.tokens.sign({ workerId: victim.id, version: 0 }, market.now())
  return {
    valid: token,
    algNone: `${encode({ ...decode(head), alg: 'none' })}.${claims}.`,
    anotherSubject: `${head}.${encode({ ...decode(claims), sub: other.id })}.${signature}`,
    randomSignature: `${head}.${claims}.${randomBytes(64).toString('base64url')}`,
    expired: oldToken.token,
    earlierSession: oldVersion.token,
  }
}

type Callers = ReturnType<typeof openCallers>

/** Makes callers, which target the victim's live objects by default. */
function openCallers({ origin }: Tools, target: Target) {
  const base = { agentTarget: target, workerTarget: target, mode: 'live' as Mode, owns: false }
  const nobody = (name: string, headers: Headers, more: Partial<Principal> = {}): Principal => ({
    ...base,
    name,
    is: 'nobody',
    headers: () => headers,
    ...more,
  })
  const agent = (
    name: string,
    headers: Principal['headers'],
    more: Partial<Principal> = {},
  ): Principal => ({ ...base, name, is: 'agent', headers, ...more })
  const worker = (
    name: string,
    headers: Principal['headers'],
    more: Partial<Principal> = {},
  ): Principal => ({ ...base, name, is: 'worker', headers, isOfSameSide: true, ...more })
  const console = (of: string, from: 'own' | 'foreign' | 'none') => ({
    headers: {
      cookie: of,
      ...(from === 'none' ? {} : { origin: from === 'own' ? origin : 'https://evil.example' }),
    } as Headers,
    cookie: { of: 'console' as const, origin: from },
  })
  const sessionFrom = (secret: string, from: 'own' | 'foreign' | 'none') => {
    const { headers } = console(`${SESSION_COOKIE}=${secret}`, from)
    return { headers, cookie: { of: 'session' as const, origin: from } }
  }
  /** An expired session of the victim: logging out with it removes its own row. */
  const consoleNobody = (name: string, of: string) => {
    const { headers, cookie } = console(of, 'own')
    return nobody(name, headers, { cookie, isVictim: true })
  }

  return { nobody, agent, worker, console, sessionFrom, consoleNobody }
}

interface Victim {
  agent: TestAgent
  worker: TestWorker
  testWorker: TestWorker
  /** Its objects in test mode. */
  test: Target
}

/** No credential, and invalid ones. */
function invalidCredentials(
  { nobody, console }: Callers,
  { victim, tokens }: { victim: Victim; tokens: Awaited<ReturnType<typeof openTokens>> },
): Principal[] {
  return [
    nobody('no credential', {}),
    nobody('empty bearer', { authorization: 'Bearer ' }),
    nobody('garbage', bearer('garbage')),
    nobody('malformed key', bearer(`lw_live_${'x'.repeat(20)}`)),
    nobody('unknown key', bearer(mintApiKey('live', 1))),
    nobody('unknown test key', apiKey(mintApiKey('test', 1))),
    nobody('key as basic', { authorization: `Basic ${victim.agent.api_key}` }),
    nobody('key in another header', {
      'api-key': victim.agent.api_key,
      'x-api-token': victim.agent.api_key,
    }),
    nobody(
      'key in the console’s cookie',
      console(`${CONSOLE_COOKIE}=${victim.agent.api_key}`, 'own').headers,
      {
        cookie: { of: 'console', origin: 'own' },
      },
    ),
    nobody('key hash', bearer(sha256(victim.agent.api_key))),
    nobody('worker token as api key', apiKey(tokens.valid)),
    nobody('worker token without bearer', { authorization: tokens.valid }),
    // Forged worker tokens.
    nobody('token: alg none', bearer(tokens.algNone)),
    nobody('token: another subject', bearer(tokens.anotherSubject)),
    nobody('token: random signature', bearer(tokens.randomSignature)),
    nobody('token: expired', bearer(tokens.expired)),
    nobody('token: earlier session', bearer(tokens.earlierSession)),
  ]
}

/** Expired or revoked credentials. */
function endedCredentials(
  { nobody, consoleNobody, sessionFrom }: Callers,
  { keys, workers }: { keys: Keys; workers: Awaited<ReturnType<typeof openWorkers>> },
): Principal[] {
  const { consoles } = keys
  const { states, targets, endedToken, freshUnverified, freshShutOut } = workers
  return [
    nobody('deleted key', bearer(keys.deleted.api_key)),
    nobody('expired key', bearer(keys.expired.api_key)),
    nobody('rotated key after its grace', bearer(keys.rotatedLongAgo.api_key)),
    consoleNobody('console of a deleted key', consoles.ofDeleted),
    consoleNobody('console of an expired key', consoles.ofExpired),
    consoleNobody('console, logged out', consoles.loggedOut),
    consoleNobody('console, past its hours', consoles.ended),
    nobody('worker logged out everywhere', bearer(endedToken), { workerTarget: targets.loggedOut }),
    nobody('suspended worker', bearer(states.suspended.token), { workerTarget: targets.suspended }),
    nobody('suspended worker, new token', bearer(freshShutOut), {
      workerTarget: targets.suspended,
    }),
    nobody('closed worker', bearer(states.closed.token), { workerTarget: targets.closed }),
    nobody('unverified worker', bearer(freshUnverified), { workerTarget: targets.unverified }),
    nobody('unverified worker’s cookie', sessionFrom(freshUnverified, 'own').headers, {
      cookie: { of: 'session', origin: 'own' },
      workerTarget: targets.unverified,
    }),
  ]
}

/** Other callers, on the victim's objects. */
function otherCallers(
  { cookieOf, tokenOf }: Tools,
  { agent, worker, console, sessionFrom }: Callers,
  { others, test }: { others: Omit<Victim, 'test'> & { trialKey: string }; test: Target },
): Principal[] {
  return [
    agent('another agent', () => bearer(others.agent.api_key)),
    agent('another agent, x-api-key', () => apiKey(others.agent.api_key)),
    agent(
      'another agent’s console',
      async (how) => console(await cookieOf(others.agent.api_key, how), 'own').headers,
      {
        cookie: { of: 'console', origin: 'own' },
      },
    ),
    agent('another agent’s test key', () => bearer(others.agent.test_api_key), { mode: 'test' }),
    agent('test agent without an account', () => bearer(others.trialKey), {
      mode: 'test',
    }),
    agent('another agent on test objects', () => bearer(others.agent.api_key), {
      agentTarget: test,
    }),
    agent('another’s test key on test objects', () => bearer(others.agent.test_api_key), {
      mode: 'test',
      agentTarget: test,
    }),
    worker('another worker', async () => bearer(await tokenOf(others.worker))),
    worker(
      'another worker’s cookie',
      async () => sessionFrom(await tokenOf(others.worker), 'own').headers,
      {
        cookie: { of: 'session', origin: 'own' },
      },
    ),
    worker('another’s test worker', async () => bearer(await tokenOf(others.testWorker)), {
      mode: 'test',
      isOfSameSide: false,
    }),
    worker(
      'another’s test worker on test objects',
      async () => bearer(await tokenOf(others.testWorker)),
      {
        mode: 'test',
        isOfSameSide: false,
        workerTarget: test,
      },
    ),
  ]
}

/** The victim's own credentials where they don't count: on objects of the other mode, and cookies from elsewhere. */
function misplacedCredentials(
  { cookieOf, tokenOf }: Tools,
  { agent, worker, console, sessionFrom }: Callers,
  victim: Victim,
): Principal[] {
  return [
    // The victim's own credentials, on objects of the other mode.
    agent('own test key on live objects', () => bearer(victim.agent.test_api_key), {
      mode: 'test',
    }),
    agent('own live key on test objects', () => bearer(victim.agent.api_key), {
      agentTarget: victim.test,
      isVictim: true,
    }),
    worker(
      'own test worker on live objects',
      async () => bearer(await tokenOf(victim.testWorker)),
      {
        mode: 'test',
        isOfSameSide: false,
      },
    ),
    worker('worker on test objects', async () => bearer(await tokenOf(victim.worker)), {
      isOfSameSide: false,
      workerTarget: victim.test,
      isVictim: true,
    }),

    // The victim's cookies, sent from another origin.
    ...(['foreign', 'none'] as const).flatMap((from) => {
      const name = from === 'none' ? 'without an origin' : 'from another site'
      return [
        agent(
          `console ${name}`,
          async (how) => console(await cookieOf(victim.agent.api_key, how), from).headers,
          {
            ...OWN,
            cookie: { of: 'console', origin: from },
          },
        ),
        worker(
          `worker’s cookie ${name}`,
          async () => sessionFrom(await tokenOf(victim.worker), from).headers,
          {
            ...OWN,
            cookie: { of: 'session', origin: from },
          },
        ),
      ]
    }),
  ]
}

/** The victim's limited keys. */
function limitedKeys({ agent }: Callers, keys: Keys): Principal[] {
  return [
    ...SCOPES.map((scope) =>
      agent(`child key: ${scope} only`, () => bearer(keys.only[scope]!.api_key), {
        ...LIMITED,
        scopes: [scope],
      }),
    ),
    agent('child key: no manage, own tasks', () => bearer(keys.confined.api_key), {
      ...LIMITED,
      scopes: ['create', 'read', 'review'],
    }),
    agent('child key: create and manage', () => bearer(keys.confinedManager.api_key), {
      ...LIMITED,
      scopes: ['create', 'manage'],
    }),
    agent('child key over its cap', () => bearer(keys.capped.api_key), {
      ...LIMITED,
      isOverCap: true,
    }),
    agent('child key under its cap', () => bearer(keys.underCap.api_key), LIMITED),
    agent('rotated key in its grace', () => bearer(keys.rotated.api_key), OWN),
  ]
}

/** Owners: the positive control. */
function owners(
  { market, cookieOf, tokenOf }: Tools,
  { agent, worker, console, sessionFrom }: Callers,
  victim: Victim,
): Principal[] {
  return [
    agent('owner', () => bearer(victim.agent.api_key), OWN),
    agent('owner, x-api-key', () => apiKey(victim.agent.api_key), OWN),
    agent(
      'owner’s console',
      async (how) => console(await cookieOf(victim.agent.api_key, how), 'own').headers,
      {
        ...OWN,
        cookie: { of: 'console', origin: 'own' },
      },
    ),
    // A new person for each call, since some calls end the session.
    agent(
      'person with the role owner',
      async () => console((await member(market, victim.agent, 'owner')).jar.cookie, 'own').headers,
      { ...OWN, isPerson: true, cookie: { of: 'console', origin: 'own' } },
    ),
    agent('owner’s test key on test objects', () => bearer(victim.agent.test_api_key), {
      owns: true,
      mode: 'test',
      agentTarget: victim.test,
    }),
    worker('owner (worker)', async () => bearer(await tokenOf(victim.worker)), OWN),
    worker('owner’s cookie', async () => sessionFrom(await tokenOf(victim.worker), 'own').headers, {
      ...OWN,
      cookie: { of: 'session', origin: 'own' },
    }),
    worker('test worker on test objects', async () => bearer(await tokenOf(victim.testWorker)), {
      owns: true,
      mode: 'test',
      workerTarget: victim.test,
    }),
  ]
}
