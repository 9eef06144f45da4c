import assert from 'node:assert/strict'
import { generateKeyPairSync, hash, sign } from 'node:crypto'
import { describe, test } from 'node:test'
import { openProvider, type Person } from '../../test/desk/openid-provider.ts'
import { deskClient, sessionFor, signIn } from '../../test/desk/sign-in.ts'
import { openVisitor } from '../../test/desk/visitor.ts'
import { marketplace } from '../../test/harness.ts'
import { atEnd } from '../../test/hooks.ts'

const provider = await openProvider()
atEnd(() => provider.stop())
const market = await marketplace({
  roles: ['api', 'desk'],
  settings: {
    OIDC_ISSUER: provider.issuer,
    OIDC_CLIENT_ID: 'desk',
    OIDC_CLIENT_SECRET: provider.secret,
  },
})
const START = `${market.desk}/desk/api/sign-in/oidc`
const RETURN = `${START}/return`
const OTHER = 'http://127.0.0.1:9/other'
provider.allow({ desk: RETURN, other: OTHER })

const admin = await signIn(market, 'admin')
const isReturn = (url: URL) => url.pathname.endsWith('/return')

/** Signs in as somebody at the provider. Returns where the browser ends, and a client with its cookies. */
async function come(person: Person, visitor = openVisitor()) {
  provider.state.person = person
  const visited = await visitor.go(START)
  return { ...outcome(visitor, visited), visited }
}

function outcome(visitor: ReturnType<typeof openVisitor>, visited: URL[]) {
  const end = visited.at(-1)!
  const session = visitor.cookies(market.desk).get('__Host-legwork-desk')
  return {
    end: `${end.pathname}${end.search}`,
    client: deskClient(market, session === undefined ? '' : `__Host-legwork-desk=${session}`),
    hasSession: session !== undefined,
  }
}

let people = 0
async function invited(role = 'trust') {
  people += 1
  const email = `company-${people}@desk.example`
  const session = deskClient(market, await sessionFor(market, admin.id))
  const { body } = await session.post('/operators', { email, name: `Company ${people}`, role })
  return { id: body.operator.id as string, email, sub: `sub-${people}`, email_verified: true }
}

const statusOf = async (id: string) => {
  const [row] = await market.asOwner('select status, oidc_subject from operators where id = $1', [
    id,
  ])
  return row!
}

describe('signing in with a company account', () => {
  test('the first time by verified email, which accepts the invitation; then by subject', async () => {
    const { id, ...person } = await invited()

    const first = await come(person)
    const later = await come({ ...person, email: 'married@desk.example' })

    assert.equal(first.end, '/desk')
    const { body } = await first.client.get('/session')
    assert.equal(body.operator.id, id)
    assert.equal(body.operator.role, 'trust')
    assert.equal((await later.client.get('/session')).body.operator.id, id)
    assert.deepEqual(await statusOf(id), {
      status: 'active',
      oidc_subject: `${provider.issuer} ${person.sub}`,
    })
  })

  test('asks with state, nonce, PKCE and nothing of the secret', async () => {
    const { visited } = await come(await invited())

    const asked = visited[1]!.searchParams
    assert.equal(asked.get('response_type'), 'code')
    assert.equal(asked.get('code_challenge_method'), 'S256')
    assert.equal(asked.get('redirect_uri'), RETURN)
    for (const name of ['state', 'nonce', 'code_challenge'])
      assert.match(asked.get(name)!, /^[\w-]{43}$/)
    assert(!visited[1]!.href.includes(encodeURIComponent(provider.secret)))
  })

  test('begins another session than the browser had, and ends that one', async () => {
    const { id, ...person } = await invited()
    const visitor = openVisitor()
    await come(person, visitor)
    const before = visitor.cookies(market.desk).get('__Host-legwork-desk')!

    const { client } = await come(person, visitor)

    assert.equal((await client.get('/session')).body.operator.id, id)
    assert.notEqual(client.jar.cookie, `__Host-legwork-desk=${before}`)
    const old = deskClient(market, `__Host-legwork-desk=${before}`)
    assert.equal((await old.get('/session')).status, 401)
  })

  for (const { what, person } of [
    {
      what: 'somebody whom nobody invited',
      person: async () => ({ sub: 'stranger', email: 'x@desk.example', email_verified: true }),
    },
    {
      what: 'an email that the provider has not verified',
      person: async () => ({ ...(await invited()), email_verified: false }),
    },
    {
      what: 'an email without a word on whether it is verified',
      person: async () => {
        const { email, sub } = await invited()
        return { email, sub }
      },
    },
    { what: 'somebody without an email', person: async () => ({ sub: 'silent' }) },
    {
      what: 'a disabled operator',
      person: async () => {
        const { id, ...person } = await invited()
        await come(person)
        const session = deskClient(market, await sessionFor(market, admin.id))
        await session.put(`/operators/${id}`, { is_disabled: true })
        return person
      },
    },
    {
      what: 'a disabled operator who never came',
      person: async () => {
        const { id, ...person } = await invited()
        const session = deskClient(market, await sessionFor(market, admin.id))
        await session.put(`/operators/${id}`, { is_disabled: true })
        return person
      },
    },
    {
      what: 'another person who got the email of an operator',
      person: async () => {
        const { id: _, ...person } = await invited()
        await come(person)
        return { ...person, sub: `${person.sub}-successor` }
      },
    },
  ])
    test(`refuses ${what}`, async () => {
      const given = await person()

      const { end, hasSession } = await come(given)

      assert.equal(end, '/desk/sign-in?error=oidc_refused')
      assert.equal(hasSession, false)
    })
})

describe('attacks on the way back from the provider', () => {
  /** A browser that is about to return with a code. */
  async function aboutToReturn() {
    const { id: _, ...person } = await invited()
    provider.state.person = person
    const visitor = openVisitor()
    const visited = await visitor.go(START, isReturn)
    return { visitor, back: visited.at(-1)!, asked: visited[1]!.searchParams, person }
  }

  async function refuses(visitor: ReturnType<typeof openVisitor>, url: URL) {
    const { end, hasSession } = outcome(visitor, await visitor.go(url.href))
    assert.equal(end, '/desk/sign-in?error=oidc_failed')
    assert.equal(hasSession, false)
  }

  test('refuses another state', async () => {
    const { visitor, back } = await aboutToReturn()
    back.searchParams.set('state', 'A'.repeat(43))

    await refuses(visitor, back)
  })

  test('refuses an answer without state, and with two of them', async () => {
    const one = await aboutToReturn()
    one.back.searchParams.delete('state')
    await refuses(one.visitor, one.back)
    const two = await aboutToReturn()
    two.back.searchParams.append('state', 'A')

    const response = await fetch(two.back, { redirect: 'manual' })

    assert.equal(response.status, 400)
  })

  test('refuses the answer in another browser, so nobody is signed in as somebody else', async () => {
    const { back } = await aboutToReturn()

    await refuses(openVisitor(), back)
  })

  test('refuses the answer to another request of the same browser', async () => {
    const { visitor, back } = await aboutToReturn()
    await visitor.go(START, isReturn)

    await refuses(visitor, back)
  })

  test('refuses a second use of the same answer', async () => {
    const { visitor, back } = await aboutToReturn()
    const kept = visitor.cookies(market.desk).get('__Host-legwork-desk-oidc')!
    await visitor.go(back.href)
    const thief = openVisitor()
    thief.cookies(market.desk).set('__Host-legwork-desk-oidc', kept)

    await refuses(thief, back)
  })

  test('refuses a code that the provider gave to another application', async () => {
    const { visitor, back, asked } = await aboutToReturn()
    const other = new URL(`${provider.issuer}/auth`)
    for (const [name, value] of asked) other.searchParams.set(name, value)
    other.searchParams.set('client_id', 'other')
    other.searchParams.set('redirect_uri', OTHER)
    const visited = await openVisitor().go(other.href, ({ port }) => port === '9')
    back.searchParams.set('code', visited.at(-1)!.searchParams.get('code')!)

    await refuses(visitor, back)
  })

  test('refuses an ID token for another application, although its nonce is right', async () => {
    const { visitor, back, asked } = await aboutToReturn()
    provider.state.idToken = await tokenOfOther(asked.get('nonce')!)

    await refuses(visitor, back)

    provider.state.idToken = undefined
  })

  test('refuses an ID token that somebody else signed, or nobody', async () => {
    for (const alg of ['RS256', 'none']) {
      const { visitor, back, asked, person } = await aboutToReturn()
      provider.state.idToken = forge(alg, { ...person, nonce: asked.get('nonce')! })

      await refuses(visitor, back)

      provider.state.idToken = undefined
    }
  })

  test('refuses an answer that says that the person canceled', async () => {
    const { visitor, back } = await aboutToReturn()
    back.searchParams.delete('code')
    back.searchParams.set('error', 'access_denied')

    await refuses(visitor, back)
  })

  test('refuses an answer after ten minutes', async () => {
    const { visitor, back } = await aboutToReturn()
    market.advance(11 * 60_000)

    await refuses(visitor, back)
  })
})

describe('without a provider', () => {
  test('404 if none is set up, and the sign-in page says so', async () => {
    const silent = await marketplace({ roles: ['api', 'desk'] })
    const page = deskClient(silent)

    const { status, body } = await page.get('/sign-in/oidc')
    const begun = await page.post('/sign-in/begin', {})

    assert.equal(status, 404)
    assert.equal(body.code, 'oidc_off')
    assert.equal(begun.body.has_company_account, false)
  })

  test('back to the sign-in page if it can’t be reached', async () => {
    const away = await marketplace({
      roles: ['desk'],
      settings: {
        OIDC_ISSUER: 'http://127.0.0.1:9',
        OIDC_CLIENT_ID: 'desk',
        OIDC_CLIENT_SECRET: 'x',
        LOG_LEVEL: 'silent',
      },
    })
    const visited = await openVisitor().go(`${away.desk}/desk/api/sign-in/oidc`)

    assert.equal(visited.at(-1)!.search, '?error=oidc_away')
  })
})

/** An ID token that the provider signed for its other application. */
async function tokenOfOther(nonce: string): Promise<string> {
  const verifier = 'v'.repeat(43)
  const url = new URL(`${provider.issuer}/auth`)
  url.search = new URLSearchParams({
    client_id: 'other',
    redirect_uri: OTHER,
    response_type: 'code',
    scope: 'openid email',
    state: 'x',
    nonce,
    code_challenge: hash('sha256', verifier, 'base64url'),
    code_challenge_method: 'S256',
  }).toString()
  const visited = await openVisitor().go(url.href, ({ port }) => port === '9')
  const response = await fetch(`${provider.issuer}/token`, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      code: visited.at(-1)!.searchParams.get('code')!,
      redirect_uri: OTHER,
      client_id: 'other',
      client_secret: provider.secret,
      code_verifier: verifier,
    }),
  })
  const { id_token } = (await response.json()) as { id_token: string }
  assert(id_token)
  return id_token
}

function forge(alg: string, { sub, nonce, ...claims }: Person & { nonce: string }): string {
  const encode = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url')
  const now = Math.floor(Date.now() / 1000)
  const about = {
    iss: provider.issuer,
    aud: 'desk',
    iat: now,
    exp: now + 60,
    sub,
    nonce,
    ...claims,
  }
  const signed = `${encode({ alg, typ: 'JWT' })}.${encode(about)}`
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 })
  const signature = alg === 'none' ? '' : sign('sha256', Buffer.from(signed), privateKey)
  return `${signed}.${signature === '' ? '' : signature.toString('base64url')}`
}
