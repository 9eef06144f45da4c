/**
 * Attacks on OAuth: each tries to get a token that it should not get, or to use one where or when it should not work.
 * None may succeed. The control is the same flow without the attack: it gets a token that works.
 */
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { marketplace, type Reply } from '../harness.ts'
import { openOAuthClient, REDIRECT, type Tokens } from '../oauth.ts'
import { openBrowser, registeredAgent } from '../people.ts'

const MINUTE = 60_000
const DAY = 24 * 60 * MINUTE
const market = await marketplace({ mail: true })
const oauth = openOAuthClient(market)
const attacks = { made: 0, succeeded: 0 }

type Victim = Awaited<ReturnType<typeof newVictim>>
const newVictim = () => market.agent({ balanceCents: 10_000, freeTasks: false })

type Outcome = { refused: Pick<Reply, 'status' | 'text'>[]; tokens?: string[] }

/** Every response of an attack is a refusal without a token, and no token that it has works. */
function attack(name: string, run: (victim: Victim) => Promise<Outcome>) {
  test(`0 succeed: ${name}`, async () => {
    attacks.made += 1
    const victim = await newVictim()
    const before = await market.balance(victim.id)

    const { refused, tokens = [] } = await run(victim)

    const isIn =
      refused.some(({ status, text }) => status < 400 || /access_token"|[?&]code=/.test(text)) ||
      (await Promise.all(tokens.map((token) => oauth.works(token)))).includes(true) ||
      (await market.balance(victim.id)) !== before
    if (isIn) attacks.succeeded += 1
    assert.equal(isIn, false, JSON.stringify(refused.map(({ status, text }) => [status, text])))
    assert(refused.length + tokens.length > 0, 'the attack did something')
    for (const { status } of refused) assert(status < 500)
  })
}

/** A consent that should be refused before there is a code. */
const asks = (name: string, request: object, choice: object = {}) =>
  attack(name, async (victim) => {
    const asked = await oauth.ask(request as Record<string, unknown>)
    const shown = await victim.get(`/console/connect?${new URLSearchParams(asked.request)}`)
    const agreed = await oauth.consent(victim, asked.request, choice as Record<string, unknown>)
    return { refused: Object.keys(choice).length > 0 ? [agreed] : [shown, agreed] }
  })

/** A redemption of a good code that should be refused. */
const redeems = (name: string, changes: Record<string, unknown>) =>
  attack(name, async (victim) => {
    const { redemption } = await oauth.code(victim)
    return { refused: [await oauth.token({ ...redemption, ...changes })] }
  })

const registers = (name: string, redirect_uri: string) =>
  attack(name, async () => ({ refused: [await oauth.register({ redirect_uris: [redirect_uri] })] }))

after(() => {
  console.log(`${attacks.made} attacks, ${attacks.succeeded} succeeded`)
})

test('control: the flow without an attack gets a token that works, and renews it', async () => {
  const victim = await newVictim()
  const { tokens, clientId } = await oauth.connect(victim)
  const asked = await oauth.mcp(tokens.access_token, 'ask_human', {
    question: 'Is it open?',
    budget_cents: 500,
    wait_seconds: 0,
  })
  const renewed = await oauth.refresh(tokens, clientId)

  assert.match(asked.text, /status: pending/)
  assert.equal(await market.balance(victim.id), 9500)
  assert.equal(renewed.status, 200)
  assert(await oauth.works(renewed.body.access_token))
  // The budget belongs to the grant, not to the token.
  const over = await oauth.mcp(renewed.body.access_token, 'ask_human', {
    question: 'Is it large?',
    budget_cents: 501,
    wait_seconds: 0,
  })
  assert.match(over.text, /above the spending cap/)
  assert.equal(await market.balance(victim.id), 9500)
})

describe('a wrong redirect', () => {
  asks('to another host', { redirect_uri: 'https://evil.example/callback' })
  asks('to a longer path', { redirect_uri: `${REDIRECT}/../evil` })
  asks('to another query', { redirect_uri: `${REDIRECT}?next=evil` })
  asks('to a host behind a user name', {
    redirect_uri: 'https://app.example@evil.example/callback',
  })
  asks('to a host behind a backslash', {
    redirect_uri: 'https://evil.example\\@app.example/callback',
  })
  asks('with the registered one as a prefix', { redirect_uri: 'https://app.example/callback.evil' })
  asks('to a port of the registered host', { redirect_uri: 'https://app.example:8443/callback' })
  asks('to loopback, which is not registered', { redirect_uri: 'http://127.0.0.1:9/callback' })
  asks('without one', { redirect_uri: undefined })
  registers('registered as http', 'http://app.example/callback')
  registers('registered as a script', 'javascript:alert(1)')
  registers('registered as data', 'data:text/html,hello')
  registers('registered with a scheme that another program can take', 'myapp://callback')
  registers('registered with a fragment', 'https://app.example/callback#x')
  registers(
    'registered with a host that only looks like loopback',
    'http://127.0.0.1.evil.example/',
  )
  redeems('another one for the code', { redirect_uri: 'https://app.example/other' })
  redeems('none for the code', { redirect_uri: undefined })
})

describe('a downgrade', () => {
  asks('without PKCE', { code_challenge: undefined, code_challenge_method: undefined })
  asks('with a plain challenge', { code_challenge_method: 'plain' })
  asks('without a method, which would mean plain', { code_challenge_method: undefined })
  asks('to the implicit flow', { response_type: 'token' })
  asks('to a hybrid flow', { response_type: 'code token' })
  redeems('to a code without a verifier', { code_verifier: undefined })
  redeems('to a client’s own credentials', { grant_type: 'client_credentials' })
  redeems('to a password', { grant_type: 'password', username: 'a', password: 'b' })
  attack('to plain, with the challenge as verifier', async (victim) => {
    const { redemption, request } = await oauth.code(victim)
    const code_verifier = request.code_challenge
    return { refused: [await oauth.token({ ...redemption, code_verifier })] }
  })
})

describe('a stolen code', () => {
  redeems('with the thief’s verifier', { code_verifier: 'x'.repeat(43) })
  attack('redeemed by another client', async (victim) => {
    const { redemption } = await oauth.code(victim)
    const thief = (await oauth.register()).body.client_id
    return { refused: [await oauth.token({ ...redemption, client_id: thief })] }
  })
  attack('used twice: the second use also ends the first one’s tokens', async (victim) => {
    const { redemption, tokens, clientId } = await oauth.connect(victim)
    const again = await oauth.token(redemption)
    const refreshed = await oauth.refresh(tokens, clientId)
    return { refused: [again, refreshed], tokens: [tokens.access_token] }
  })
  attack('used after a minute', async (victim) => {
    const { redemption } = await oauth.code(victim)
    market.advance(61_000)
    return { refused: [await oauth.token(redemption)] }
  })
  attack('guessed', async (victim) => {
    const { redemption } = await oauth.code(victim)
    const code = `${redemption.code.slice(0, -1)}${redemption.code.endsWith('A') ? 'B' : 'A'}`
    return { refused: [await oauth.token({ ...redemption, code })] }
  })
  attack('of a grant whose key was deleted in between', async (victim) => {
    const { redemption } = await oauth.code(victim)
    const { body } = await victim.get('/agents/keys')
    const key = body.keys.find((one: { is_of_app: boolean }) => one.is_of_app)
    assert.equal((await victim.delete(`/agents/keys/${key.id}`)).status, 200)
    return { refused: [await oauth.token(redemption)] }
  })
  attack('sent twice in one request, next to another', async (victim) => {
    const { redemption } = await oauth.code(victim)
    const form = new URLSearchParams(redemption as Record<string, string>)
    form.append('code', 'other')
    return { refused: [await oauth.token(form)] }
  })

  test('redeemed twenty times at the same instant, at most once', async () => {
    attacks.made += 1
    const { redemption } = await oauth.code(await newVictim())

    const all = await Promise.all(Array.from({ length: 20 }, () => oauth.token(redemption)))

    const issued = all.filter(({ status }) => status === 200)
    assert(issued.length <= 1)
    // The others look like theft, so what was issued has ended.
    for (const { body } of issued) assert.equal(await oauth.works(body.access_token), false)
  })
})

describe('another resource', () => {
  asks('for the code', { resource: 'https://evil.example/mcp' })
  asks('that starts like ours', { resource: `${oauth.origin}/mcp-evil` })
  redeems('for the token', { resource: 'https://evil.example/mcp' })
  attack('for a renewed token', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim)
    return {
      refused: [await oauth.refresh(tokens, clientId, { resource: 'https://evil.example/' })],
    }
  })
  attack('a token for /mcp at the API itself', async (victim) => {
    const { tokens } = await oauth.connect(victim)
    const thief = market.client(tokens.access_token)
    const session = await market.call('POST', '/console/session', {
      body: { api_key: tokens.access_token },
      headers: { origin: oauth.origin },
    })
    const pay = { description: 'Pay me', budget_cents: 500 }
    return { refused: [await thief.get('/wallet'), await thief.post('/tasks', pay), session] }
  })
})

describe('mixed-up issuers', () => {
  attack('a code of another server', async (victim) => {
    const other = await marketplaceElsewhere()
    const { redemption } = await oauth.code(victim)
    const { status, text } = await other.token({
      ...redemption,
      resource: undefined,
      client_id: (await other.register()).body.client_id,
    })
    return { refused: [{ status, text }] }
  })
  attack('a token of another server', async () => {
    const other = await marketplaceElsewhere()
    const theirs = await other.connect(await otherMarket!.agent())
    return { refused: [], tokens: [theirs.tokens.access_token] }
  })
  test('our responses name us', async () => {
    const { back } = await oauth.code(await newVictim())
    const { body } = await oauth.read('/.well-known/oauth-authorization-server')

    assert.equal(back.searchParams.get('iss'), body.issuer)
    assert.equal(back.searchParams.get('state'), 'some state')
    assert.equal(body.authorization_response_iss_parameter_supported, true)
  })
})

describe('a refresh token', () => {
  attack('used twice: the thief’s and the victim’s tokens end', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim)
    const renewed = (await oauth.refresh(tokens, clientId)).body as unknown as Tokens
    const stolen = await oauth.refresh(tokens, clientId)
    const later = await oauth.refresh(renewed, clientId)
    return { refused: [stolen, later], tokens: [tokens.access_token, renewed.access_token] }
  })
  attack('of another client', async (victim) => {
    const { tokens } = await oauth.connect(victim)
    const thief = (await oauth.register()).body.client_id
    return { refused: [await oauth.refresh(tokens, thief)] }
  })
  attack('for more than was allowed', async (victim) => {
    const choice = { scopes: ['read'] }
    const { tokens, clientId } = await oauth.connect(victim, { choice })
    return { refused: [await oauth.refresh(tokens, clientId, { scope: 'read create manage' })] }
  })
  attack('of a person who ended the connection', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim)
    const { body } = await victim.get('/agents/connections')
    assert.equal((await victim.delete(`/agents/connections/${body.connections[0].id}`)).status, 200)
    return { refused: [await oauth.refresh(tokens, clientId)], tokens: [tokens.access_token] }
  })
  attack('that the client revoked', async (victim) => {
    const { tokens, clientId: client_id } = await oauth.connect(victim)
    await oauth.revoke({ token: tokens.refresh_token, client_id })
    return { refused: [await oauth.refresh(tokens, client_id)], tokens: [tokens.access_token] }
  })
  attack('of a thief, after the owner recovered the agent by email', async () => {
    const owner = await registeredAgent(market)
    const { tokens, clientId } = await oauth.connect(owner)
    // The access token has ended, so nothing of the connection is in use.
    market.advance(2 * 60 * MINUTE)
    const token = await owner.loseKey()
    const { status } = await market.call('POST', '/agents/recover/confirm', { body: { token } })
    assert.equal(status, 200)
    return { refused: [await oauth.refresh(tokens, clientId)], tokens: [tokens.access_token] }
  })
  attack('after the time that the person allowed', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim, { choice: { days: 1 } })
    market.advance(DAY + 1000)
    return { refused: [await oauth.refresh(tokens, clientId)], tokens: [tokens.access_token] }
  })
  attack('whose second part is guessed', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim)
    const refresh_token = `${tokens.refresh_token.slice(0, 40)}x.${'A'.repeat(43)}`
    const guessed = await oauth.refresh(tokens, clientId, { refresh_token })
    // A guess without the first part does the victim no harm.
    assert(await oauth.works(tokens.access_token))
    return { refused: [guessed] }
  })

  test('renewed ten times at the same instant, at most once', async () => {
    attacks.made += 1
    const { tokens, clientId } = await oauth.connect(await newVictim())

    const all = await Promise.all(Array.from({ length: 10 }, () => oauth.refresh(tokens, clientId)))

    const issued = all.filter(({ status }) => status === 200)
    assert(issued.length <= 1)
    for (const { body } of issued) assert.equal(await oauth.works(body.access_token), false)
  })
})

describe('an access token', () => {
  attack('after an hour', async (victim) => {
    const { tokens } = await oauth.connect(victim)
    market.advance(60 * MINUTE)
    return { refused: [], tokens: [tokens.access_token] }
  })
  attack('that was renewed', async (victim) => {
    const { tokens, clientId } = await oauth.connect(victim)
    await oauth.refresh(tokens, clientId)
    return { refused: [], tokens: [tokens.access_token] }
  })
  attack('in the address', async (victim) => {
    const { tokens } = await oauth.connect(victim)
    return { refused: [await oauth.read(`/mcp?access_token=${tokens.access_token}`)] }
  })
  attack('that spends more than the budget', async (victim) => {
    const { tokens } = await oauth.connect(victim, { choice: { budget_cents: 100 } })
    const { text } = await oauth.mcp(tokens.access_token, 'ask_human', {
      question: 'Send it',
      budget_cents: 101,
      wait_seconds: 0,
    })
    assert.match(text, /above the spending cap/)
    return { refused: [{ status: 403, text }] }
  })
})

describe('a consent', () => {
  asks('to more than the app asked for', { scope: 'read' }, { scopes: ['read', 'create'] })
  asks('to manage the agent', {}, { scopes: ['manage'] })
  asks('without a budget', {}, { budget_cents: null })
  asks('for longer than a year', {}, { days: 366 })
  asks('to an app that never registered', { client_id: 'client_01m7fh382revhrpf3ec4gb30ke' })
  attack('that another site sends in the person’s browser', async (victim) => {
    const browser = openBrowser(market)
    await browser.post('/console/session', { api_key: victim.api_key })
    const { request } = await oauth.ask()
    const body = { ...request, scopes: ['read'], budget_cents: 100 }
    const headers = { cookie: browser.jar.cookie }
    const send = (more: object) =>
      market.call('POST', '/console/connect', { body, headers: { ...headers, ...more } })
    return { refused: [await send({ origin: 'https://evil.example' }), await send({})] }
  })
  attack('without being logged in', async () => {
    const { request } = await oauth.ask()
    const body = { ...request, scopes: ['read'], budget_cents: 100 }
    return { refused: [await market.call('POST', '/console/connect', { body })] }
  })
  attack('with a key that may not make keys, or to more than it may spend', async (victim) => {
    const limited = async (limits: object) => {
      const { body } = await victim.post('/agents/keys', { name: 'limited', ...limits })
      return market.client(body.key.api_key)
    }
    const { request } = await oauth.ask()
    return {
      refused: [
        await oauth.consent(await limited({ scopes: ['create', 'read'] }), request),
        await oauth.consent(await limited({ budget_cents: 999 }), request),
      ],
    }
  })
  attack('of one agent, seen or ended by another', async (victim) => {
    await oauth.connect(victim)
    const { body } = await victim.get('/agents/connections')
    const stranger = await newVictim()
    assert.deepEqual((await stranger.get('/agents/connections')).body.connections, [])
    return { refused: [await stranger.delete(`/agents/connections/${body.connections[0].id}`)] }
  })

  test('shows a name without invisible or direction-changing characters, in one line', async () => {
    const { body } = await oauth.register({
      client_name: 'Leg\u202Ework\u200B\n\t Official\u0007 ',
    })
    const nameless = await oauth.register({ client_name: '\u2066\u200D ' })

    assert.equal(body.client_name, 'Legwork Official')
    assert.equal(nameless.body.client_name, 'App without a name')
  })
})

test('at least 25 attacks were made, and 0 succeeded', () => {
  assert(attacks.made >= 25)
  assert.equal(attacks.succeeded, 0)
})

let otherMarket: Awaited<ReturnType<typeof marketplace>> | undefined
async function marketplaceElsewhere() {
  otherMarket ??= await marketplace()
  return openOAuthClient(otherMarket)
}
