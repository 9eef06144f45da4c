import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, PASSWORD, signUp } from '../../test/people.ts'
import { idPattern } from '../kit/ids.ts'
import { hashPassword } from './passwords.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })
const limited = await marketplace({
  mail: true,
  settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
})

const logIn = (email: string, password: string, headers: Record<string, string> = {}) =>
  market.call('POST', '/worker/login', { body: { email, password }, headers })
const me = (token: string) => market.client(token).get('/worker/profile')

describe('POST /worker/login', () => {
  test('[4.5-login] [4.5-login-answer] [5-worker-login] [2.3-login-worker] 200: worker, token, expiry', async () => {
    const person = await signUp(market, { name: 'Ann' })

    const { status, body } = await person.logIn()

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['worker', 'token', 'expires_at'])
    assert.match(body.worker.id, idPattern('worker'))
    assert.equal(body.worker.id, person.id)
    assert.equal(body.worker.name, 'Ann')
    assert.equal(body.worker.status, 'active')
    assert.match(body.token, /^[\w-]+\.[\w-]+\.[\w-]+$/)
    // Token times are in whole seconds.
    const endsIn = Date.parse(body.expires_at) - market.now().getTime()
    assert(endsIn > 7 * DAY - 1000 && endsIn <= 7 * DAY)
  })

  test('[5-worker-bearer] [1-worker-account] the token authenticates as Authorization: Bearer', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()

    const { status, body: profile } = await me(body.token)

    assert.equal(status, 200)
    assert.equal(profile.worker.id, person.id)
  })

  test('the token is valid for 7 days, then 401 until the next login [5-worker-7-days] [8-jwt]', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()

    market.advance(7 * DAY - 1000)
    const before = await me(body.token)
    market.advance(32_000)
    const after = await me(body.token)

    assert.equal(before.status, 200)
    assert.equal(after.status, 401)
    assert.equal(after.body.code, 'invalid_token')
    const again = await person.logIn()
    assert.equal((await me(again.body.token)).status, 200)
  })

  test('200 for any spelling of the email', async () => {
    const person = await signUp(market)

    const { status } = await logIn(person.email.toUpperCase(), person.password)

    assert.equal(status, 200)
  })

  test('401 for a wrong password [5-wrong-password] [7-401-worker]', async () => {
    const person = await signUp(market)

    const { status, body } = await person.logIn('a wrong password')

    assert.equal(status, 401)
    assert.deepEqual(Object.keys(body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
    assert.equal(body.error, 'Invalid password')
    assert.equal(body.code, 'invalid_password')
  })

  test('401 with the same message for an unknown or invalid email', async () => {
    const person = await signUp(market)
    const wrong = await person.logIn('a wrong password')

    for (const email of [newEmail(), 'not an address', person.id]) {
      const { status, body } = await logIn(email, person.password)

      assert.equal(status, wrong.status)
      assert.deepEqual({ ...body, request_id: '' }, { ...wrong.body, request_id: '' })
    }
  })

  test('401 for an unknown email takes as long as for a wrong password', async (t) => {
    const person = await signUp(market)
    const times = { known: [] as number[], unknown: [] as number[] }

    for (let i = 0; i < 45; i += 1)
      for (const [kind, email] of [
        ['known', person.email],
        ['unknown', newEmail()],
      ] as const) {
        const start = performance.now()
        await logIn(email, 'a wrong password')
        // The first calls are warm-up.
        if (i >= 5) times[kind].push(performance.now() - start)
      }

    const [known, unknown] = [median(times.known), median(times.unknown)]
    t.diagnostic(`medians of 40: known ${known.toFixed(1)} ms, unknown ${unknown.toFixed(1)} ms`)
    assert(Math.abs(known - unknown) / Math.max(known, unknown) < 0.25, `${known} and ${unknown}`)
  })

  test('[5-not-verified] [7-403-verified] 403 until the email is confirmed, for the right password', async () => {
    const person = await signUp(market, { isVerified: false })

    const right = await person.logIn()
    const wrong = await person.logIn('a wrong password')

    assert.equal(right.status, 403)
    assert.deepEqual(Object.keys(right.body), ['error', 'code', 'request_id', 'hint', 'doc_url'])
    assert.equal(right.body.error, 'Email not verified')
    assert.equal(right.body.code, 'email_not_verified')
    assert.equal(wrong.status, 401)
    assert.equal(wrong.body.code, 'invalid_password')
  })

  test('403 for a suspended worker, and only with the right password', async () => {
    const person = await signUp(market)
    await market.asOwner(`update workers set status = 'suspended' where id = $1`, [person.id])

    const [right, wrong] = [await person.logIn(), await person.logIn('a wrong password')]

    assert.equal(right.status, 403)
    assert.equal(right.body.code, 'worker_suspended')
    assert.equal(wrong.status, 401)
  })

  test('401 for a closed account, as for an unknown one', async () => {
    const person = await signUp(market)
    await market.asOwner(`update workers set status = 'closed' where id = $1`, [person.id])

    const { status, body } = await person.logIn()

    assert.equal(status, 401)
    assert.equal(body.code, 'invalid_password')
  })

  test('400 without an email or a password', async () => {
    const replies = [
      await market.call('POST', '/worker/login', { body: { password: PASSWORD } }),
      await market.call('POST', '/worker/login', { body: { email: newEmail() } }),
    ]

    assert.deepEqual(
      replies.map(({ status, body }) => [status, body.details[0].path]),
      [
        [400, 'email'],
        [400, 'password'],
      ],
    )
  })

  test('rehashes a password with weaker parameters', async () => {
    const person = await signUp(market)
    const weak = await hashPassword(PASSWORD, { memory: 8192, passes: 1, parallelism: 1 })
    await market.asOwner('update workers set password_hash = $2 where id = $1', [person.id, weak])
    const stored = async () => {
      const [row] = await market.asOwner('select password_hash from workers where id = $1', [
        person.id,
      ])
      return row!.password_hash as string
    }

    await person.logIn('a wrong password')
    const afterWrong = await stored()
    const { status } = await person.logIn()
    const renewed = await stored()

    assert.equal(afterWrong, weak)
    assert.equal(status, 200)
    assert.match(renewed, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/)
    assert.equal((await person.logIn()).status, 200)
    assert.equal(await stored(), renewed, 'it is rehashed only once')
  })

  test('503 above 4 running and 64 waiting logins; the others succeed', async () => {
    const replies = await Promise.all(
      Array.from({ length: 140 }, () => logIn(newEmail(), 'a wrong password')),
    )

    const refused = replies.filter(({ status }) => status === 503)
    const answered = replies.filter(({ status }) => status === 401)
    assert.equal(refused.length + answered.length, 140)
    assert(refused.length >= 1 && answered.length >= 68, `${refused.length} ${answered.length}`)
    assert.equal(refused[0]!.body.code, 'unavailable')
    assert.equal(refused[0]!.headers.get('retry-after'), '1')
  })

  test('holds no database connection while it hashes', async () => {
    const before = performance.now()
    const flood = Array.from({ length: 60 }, () => logIn(newEmail(), 'a wrong password'))
    const during: number[] = []
    for (let i = 0; i < 10; i += 1) {
      const start = performance.now()
      await market.call('GET', '/worker/verify?token=x')
      during.push(performance.now() - start)
    }
    const reads = performance.now() - before

    await Promise.all(flood)

    assert(reads < performance.now() - before, 'the reads completed before the logins')
  })
})

describe('the login limit', () => {
  const newAddress = () => ['10', ...randomBytes(3)].join('.')
  const attempt = (email: string, address: string, password = 'a wrong password') =>
    limited.call('POST', '/worker/login', {
      body: { email, password },
      headers: { 'x-forwarded-for': address },
    })

  test('429 for the eleventh in 15 minutes from one IP address, whatever the account [8-login]', async () => {
    const address = newAddress()
    const statuses: number[] = []

    for (let i = 0; i < 11; i += 1) statuses.push((await attempt(newEmail(), address)).status)

    assert.deepEqual(statuses, [...Array<number>(10).fill(401), 429])
  })

  test('[8-login] 429 for the eleventh to one account, whatever the IP address and the spelling', async () => {
    const person = await signUp(limited)
    for (let i = 0; i < 10; i += 1) await attempt(person.email, newAddress())

    const refused = await attempt(person.email.toUpperCase(), newAddress(), person.password)
    const other = await attempt((await signUp(limited)).email, newAddress(), PASSWORD)

    assert.equal(refused.status, 429)
    assert.equal(refused.body.limit, 'login')
    assert.equal(refused.headers.get('retry-after'), String(refused.body.retry_after_seconds))
    assert(refused.body.retry_after_seconds > 890 && refused.body.retry_after_seconds <= 900)
    assert.equal(other.status, 200)
  })

  test('a successful login does not reset the count', async () => {
    const person = await signUp(limited)
    const address = newAddress()
    for (let i = 0; i < 9; i += 1) await attempt(newEmail(), address)
    await attempt(person.email, address, person.password)

    const { status } = await attempt(newEmail(), address)

    assert.equal(status, 429)
  })
})

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
