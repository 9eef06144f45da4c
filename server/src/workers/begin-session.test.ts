import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace, startOn } from '../../test/harness.ts'
import { newEmail, openBrowser, PASSWORD, signUp } from '../../test/people.ts'

const DAY = 86_400_000
const CHOSEN = 'another password of mine'
const market = await marketplace({ mail: true })

const cookieOf = ({ headers }: { headers: Headers }) => headers.getSetCookie()

/** A person who is logged in with a browser. */
async function openSession() {
  const person = await signUp(market)
  const browser = openBrowser(market)
  const reply = await browser.logIn(person)
  assert.equal(reply.status, 200, reply.text)
  return { person, browser, reply }
}

describe('POST /worker/session', () => {
  test('200: returns the worker and the expiry; the token is only in the cookie', async () => {
    const { person, browser, reply } = await openSession()

    const [cookie, ...more] = cookieOf(reply)
    const token = browser.jar.cookie.split('=')[1]!
    assert.match(
      cookie!,
      /^__Host-legwork=[\w-]+\.[\w-]+\.[\w-]+; Path=\/; Secure; HttpOnly; SameSite=Lax; Max-Age=604800$/,
    )
    assert.deepEqual(more, [])
    assert.deepEqual(Object.keys(reply.body), ['worker', 'expires_at'])
    assert.equal(reply.body.worker.id, person.id)
    assert.equal(reply.body.worker.status, 'active')
    assert(!reply.text.includes(token))
    const endsIn = Date.parse(reply.body.expires_at) - market.now().getTime()
    assert(endsIn > 7 * DAY - 1000 && endsIn <= 7 * DAY)
  })

  test('the cookie works like a token, and reads need no Origin', async () => {
    const { person, browser } = await openSession()

    const read = await browser.get('/worker/profile')
    const written = await browser.put('/worker/profile', { name: 'Ada' })

    assert.equal(read.status, 200)
    assert.equal(read.body.worker.id, person.id)
    assert.equal(written.status, 200, written.text)
    assert.equal(written.body.worker.name, 'Ada')
  })

  test('the cookie is found among others; two of its name count as none', async () => {
    const { browser, person } = await openSession()
    const own = browser.jar.cookie
    const { token } = await market.worker()

    const found = []
    for (const cookie of [
      `theme=dark; ${own}; x="a b"`,
      `${own}; __Host-legwork=${token}`,
      `__Host-legwork=${token}; ${own}`,
      `\u00A0__Host-legwork=${token}; ${own}`,
    ]) {
      const { body } = await market.call('GET', '/worker/profile', { headers: { cookie } })
      found.push(body.worker?.id ?? body.code)
    }

    // The last one begins with a byte that is not valid UTF-8.
    assert.deepEqual(found, [person.id, 'invalid_token', 'invalid_token', 'invalid_request'])
  })

  test('an Authorization header overrides the cookie, and needs no Origin', async () => {
    const { browser } = await openSession()
    const other = await market.worker({ name: 'Other' })
    const bearer = (token: string) => ({
      authorization: `Bearer ${token}`,
      origin: 'https://x.example',
    })

    const read = await browser.get('/worker/profile', undefined, bearer(other.token))
    const written = await browser.put('/worker/profile', { name: 'Bea' }, bearer(other.token))
    const wrong = [
      await browser.get('/worker/profile', undefined, bearer('nonsense')),
      await browser.get('/worker/profile', undefined, { authorization: 'Basic YTpi' }),
    ]

    assert.equal(read.body.worker.id, other.id)
    assert.equal(written.status, 200)
    assert.equal(written.body.worker.id, other.id)
    for (const { status } of wrong) assert.equal(status, 401)
  })

  test('the session is pending until the email is confirmed, on any device', async () => {
    const person = await signUp(market, { isVerified: false })
    const phone = openBrowser(market)

    const begun = await phone.logIn(person)
    const waiting = await phone.get('/worker/session')
    const before = await phone.get('/worker/profile')
    await market.call('POST', '/worker/verify', { body: { token: person.linkToken } })
    const session = await phone.get('/worker/session')
    const after = await phone.get('/worker/profile')

    assert.equal(begun.status, 200)
    assert.equal(begun.body.worker.status, 'unverified')
    assert.equal(waiting.body.is_waiting, true)
    assert.equal(before.status, 401)
    assert.equal(session.body.is_waiting, false)
    assert.equal(after.status, 200)
    assert.equal(after.body.worker.id, person.id)
  })

  test('the session ends after 7 days', async () => {
    const { browser } = await openSession()

    market.advance(7 * DAY - 1000)
    const before = await browser.get('/worker/profile')
    market.advance(32_000)
    const after = await browser.get('/worker/profile')
    const session = await browser.get('/worker/session')

    assert.equal(before.status, 200)
    assert.equal(after.status, 401)
    assert.equal(after.body.code, 'invalid_token')
    assert.equal(session.body.worker, null)
  })

  for (const [how, end] of [
    ['a new password', changePassword],
    ['a logout everywhere', logOutEverywhere],
    ['a suspension', (person: Person) => setStatus(person, 'suspended')],
    ['a closed account', (person: Person) => setStatus(person, 'closed')],
  ] as const)
    test(`the session ends at once with ${how}`, async () => {
      const { person, browser } = await openSession()

      await end(person)

      assert.equal((await browser.get('/worker/profile')).status, 401)
      assert.deepEqual((await browser.get('/worker/session')).body, {
        worker: null,
        expires_at: null,
        is_waiting: false,
      })
    })

  test('a pending session ends with a new password, too', async () => {
    const person = await signUp(market, { isVerified: false })
    const browser = openBrowser(market)
    await browser.logIn(person)

    await changePassword(person)

    assert.equal((await browser.get('/worker/session')).body.worker, null)
    assert.equal((await browser.get('/worker/profile')).status, 401)
  })

  test('401 for a wrong password and an unknown email alike; no cookie', async () => {
    const person = await signUp(market)
    const browser = openBrowser(market)

    const replies = [
      await browser.logIn({ email: person.email, password: 'a wrong password' }),
      await browser.logIn({ email: newEmail(), password: PASSWORD }),
    ]

    for (const reply of replies) {
      assert.equal(reply.status, 401)
      assert.equal(reply.body.code, 'invalid_password')
      assert.deepEqual(cookieOf(reply), [])
    }
    assert.equal(replies[0]!.body.error, replies[1]!.body.error)
  })

  test('403 for a suspended worker, 401 for a closed account; no cookie, also under a key', async () => {
    const [suspended, closed] = [await signUp(market), await signUp(market)]
    await setStatus(suspended, 'suspended')
    await setStatus(closed, 'closed')
    const browser = openBrowser(market)
    const key = { 'idempotency-key': randomUUID() }
    const credentials = { email: suspended.email, password: suspended.password }

    const replies = [
      await browser.logIn(suspended),
      await browser.post('/worker/session', credentials, key),
      await browser.post('/worker/session', credentials, key),
      await browser.logIn(closed),
    ]

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.code]),
      [
        [403, 'worker_suspended'],
        [403, 'worker_suspended'],
        [403, 'worker_suspended'],
        [401, 'invalid_password'],
      ],
    )
    for (const reply of replies) assert.deepEqual(cookieOf(reply), [])
  })

  for (const origin of [undefined, 'null', 'https://evil.example', 'http://localhost:1'])
    test(`403 from a page of ${origin ?? 'nobody'}: a foreign page cannot log somebody in`, async () => {
      const person = await signUp(market)

      const reply = await market.call('POST', '/worker/session', {
        body: { email: person.email, password: person.password },
        headers: { ...(origin === undefined ? {} : { origin }), authorization: 'Bearer x' },
      })

      assert.equal(reply.status, 403)
      assert.equal(reply.body.code, 'wrong_origin')
      assert.deepEqual(cookieOf(reply), [])
    })

  test('the public URL is our origin, including its scheme', async () => {
    const server = await startOn(market.url, {
      settings: { PUBLIC_URL: 'https://legwork.example' },
      clockOverride: market.server.clock,
    })
    const person = await signUp(market)
    const from = async (origin: string) => {
      const response = await fetch(`${server.addresses.api}/worker/session`, {
        method: 'POST',
        headers: { origin, 'content-type': 'application/json' },
        body: JSON.stringify({ email: person.email, password: person.password }),
      })
      return response.status
    }

    const statuses = [
      await from('https://legwork.example'),
      await from('http://legwork.example'),
      await from(new URL(server.addresses.api!).origin),
    ]

    await server.stop()
    assert.deepEqual(statuses, [200, 403, 403])
  })

  test('no secret is stored under an Idempotency-Key; a repetition sets a new cookie', async () => {
    const person = await signUp(market)
    const browser = openBrowser(market)
    const credentials = { email: person.email, password: person.password }
    const key = { 'idempotency-key': randomUUID() }

    const first = await browser.post('/worker/session', credentials, key)
    const again = await browser.post('/worker/session', credentials, key)
    const wrong = await browser.post('/worker/session', { ...credentials, password: 'no' }, key)
    const rows = await market.asOwner('select * from idempotency_keys order by created_at desc')

    assert.equal(again.text, first.text)
    assert.equal(again.headers.get('idempotency-replayed'), 'true')
    assert.equal(cookieOf(again).length, 1)
    assert.notEqual(cookieOf(again)[0], cookieOf(first)[0])
    assert.equal((await browser.get('/worker/profile')).status, 200)
    assert.equal(wrong.status, 401, 'the idempotency key alone does not open the stored response')
    const kept = JSON.stringify(rows)
    for (const secret of [
      person.password,
      ...[first, again].map((reply) => cookieOf(reply)[0]!.split(/[=;]/)[1]!),
    ])
      assert(!kept.includes(secret))
  })
})

describe('the login limits', () => {
  test('429 for the fourth login to an account, by cookie and token together; and per IP address', async () => {
    const limited = await marketplace({
      mail: true,
      settings: {
        RATE_LIMITS: 'on',
        TRUST_PROXY: '127.0.0.1',
        LIMIT_LOGIN_PER_15_MINUTES: 3,
      },
    })
    const person = await signUp(limited)
    const browser = openBrowser(limited)
    const from = (address: string) => ({ 'x-forwarded-for': address })
    const newAddress = () => ['10', ...randomBytes(3)].join('.')
    const body = { email: person.email, password: 'a wrong password' }
    await browser.post('/worker/session', body, from(newAddress()))
    await browser.post('/worker/login', body, from(newAddress()))
    await browser.post('/worker/session', body, from(newAddress()))

    const byAccount = await browser.post(
      '/worker/session',
      { ...body, password: person.password },
      from(newAddress()),
    )
    const address = newAddress()
    const byAddress = []
    for (let i = 0; i < 4; i += 1)
      byAddress.push(
        await browser.post('/worker/session', { ...body, email: newEmail() }, from(address)),
      )

    assert.equal(byAccount.status, 429)
    assert.equal(byAccount.body.limit, 'login')
    assert.deepEqual(
      byAddress.map(({ status }) => status),
      [401, 401, 401, 429],
    )
  })

  test('a cookie is counted for its worker, whatever the IP address; a forged request is not', async () => {
    const limited = await marketplace({
      settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1', LIMIT_GLOBAL_PER_MINUTE: 3 },
    })
    const worker = await limited.worker()
    const headers = (address: string, origin?: string) => ({
      cookie: `__Host-legwork=${worker.token}`,
      'x-forwarded-for': address,
      ...(origin === undefined ? {} : { origin }),
    })
    const read = (address: string) =>
      limited.call('GET', '/worker/profile', { headers: headers(address) })
    const forge = () =>
      limited.call('PUT', '/worker/profile', {
        body: {},
        headers: headers('10.1.1.1', 'https://evil.example'),
      })

    const forged = [await forge(), await forge(), await forge(), await forge()]
    const own = [await read('10.1.1.2'), await read('10.1.1.3'), await read('10.1.1.4')]
    const fourth = await read('10.1.1.5')

    assert.deepEqual(
      forged.map(({ status }) => status),
      [403, 403, 403, 429],
    )
    for (const { status } of own) assert.equal(status, 200)
    assert.equal(fourth.status, 429)
  })
})

type Person = Awaited<ReturnType<typeof signUp>>

async function changePassword(person: Person): Promise<void> {
  const body = { token: await person.forget(), password: CHOSEN }
  const { status } = await market.call('POST', '/worker/password/reset', { body })
  assert.equal(status, 202)
}

async function logOutEverywhere(person: Person): Promise<void> {
  const other = openBrowser(market)
  await other.logIn(person)
  assert.equal((await other.delete('/worker/sessions')).status, 200)
}

async function setStatus({ id }: Person, status: string): Promise<void> {
  await market.asOwner('update workers set status = $2 where id = $1', [id, status])
}
