import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, PASSWORD, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const strict = await marketplace({ mail: true, settings: { PASSWORD_BLOCKLIST: 'on' } })
const limited = await marketplace({
  mail: true,
  settings: { RATE_LIMITS: 'on', TRUST_PROXY: '127.0.0.1' },
})
const CHOSEN = 'a password of one’s own choice'

const change = (token: string, body: object = {}, place = market) =>
  place.client(token).post('/worker/password', {
    current_password: PASSWORD,
    password: CHOSEN,
    ...body,
  })
const me = (token: string) => market.client(token).get('/worker/profile')

describe('POST /worker/password', () => {
  test('200: the new password works, the old one does not', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()

    const { status } = await change(body.token)

    assert.equal(status, 200)
    assert.equal((await person.logIn()).status, 401)
    assert.equal((await person.logIn(CHOSEN)).status, 200)
  })

  test('this session stays, every other one ends', async () => {
    const person = await signUp(market)
    const [here, other] = [(await person.logIn()).body.token, (await person.logIn()).body.token]
    const browser = openBrowser(market)
    await browser.logIn(person)

    await change(here)

    assert.equal((await me(here)).status, 200)
    assert.equal((await me(other)).status, 401)
    assert.equal((await browser.get('/worker/profile')).status, 401)
    const { body } = await market.client(here).get('/worker/sessions')
    assert.equal(body.sessions.length, 1)
  })

  test('a token from before sessions had rows ends too', async () => {
    const person = await signUp(market)
    const old = await market.tokens.sign({ workerId: person.id, version: 1 }, market.now())
    assert.equal((await me(old.token)).status, 200)

    await change((await person.logIn()).body.token)

    assert.equal((await me(old.token)).status, 401)
  })

  test('a mailed reset link no longer works', async () => {
    const person = await signUp(market)
    const link = await person.forget()

    await change((await person.logIn()).body.token)

    const { status } = await market.call('POST', '/worker/password/reset', {
      body: { token: link, password: 'another password entirely' },
    })
    assert.equal(status, 400)
  })

  test('the worker is told by email, in their language, with a way to undo it', async () => {
    const person = await signUp(market, { app_language: 'de' })

    await change((await person.logIn()).body.token)
    await market.work()

    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.subject, 'Dein Legwork-Passwort wurde geändert')
    assert.equal(mail.links[0]?.pathname, '/forgot')
  })

  test('403 with a wrong password: a stolen session is not enough, and it stays', async () => {
    const person = await signUp(market)
    const { token } = (await person.logIn()).body

    const { status, body } = await change(token, { current_password: 'not it' })

    assert.equal(status, 403)
    assert.equal(body.code, 'wrong_password')
    assert.equal((await me(token)).status, 200)
    assert.equal((await person.logIn()).status, 200)
  })

  test('400 for the same password, a short one, and the worker’s own email', async () => {
    const person = await signUp(strict)
    const { token } = (await person.logIn()).body
    for (const password of [PASSWORD, 'short', person.email]) {
      const { status, body } = await change(token, { password }, strict)
      assert.equal(status, 400, password)
      assert.equal(body.code, 'invalid_request')
    }
  })

  test('two at once with the same current password: one wins, the other gets 403', async () => {
    const person = await signUp(market)
    const tokens = [(await person.logIn()).body.token, (await person.logIn()).body.token]

    const replies = await Promise.all(
      tokens.map((token, i) => change(token, { password: `${CHOSEN} ${i}` })),
    )

    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 403],
    )
  })

  test('429 after ten attempts in 15 minutes, from whatever address', async () => {
    const person = await signUp(limited)
    const { token } = (await person.logIn()).body
    const guess = (i: number) =>
      limited
        .client(token)
        .post(
          '/worker/password',
          { current_password: `guess ${i}`, password: CHOSEN },
          { 'x-forwarded-for': `203.0.113.${i}` },
        )

    const statuses = []
    for (let i = 1; i <= 11; i += 1) statuses.push((await guess(i)).status)

    assert.deepEqual(statuses, [...Array<number>(10).fill(403), 429])
  })
})
