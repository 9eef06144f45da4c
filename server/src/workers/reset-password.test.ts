import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const strict = await marketplace({ mail: true, settings: { PASSWORD_BLOCKLIST: 'on' } })
const MINUTE = 60_000
const CHOSEN = 'a password of one’s own choice'

const reset = (token: string, password = CHOSEN) =>
  market.call('POST', '/worker/password/reset', { body: { token, password } })
const me = (token: string) => market.client(token).get('/worker/profile')

describe('POST /worker/password/reset', () => {
  test('202: the new password works, the old one does not', async () => {
    const person = await signUp(market)
    const token = await person.forget()

    const { status, body } = await reset(token)

    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['message'])
    assert.equal((await person.logIn()).status, 401)
    assert.equal((await person.logIn(CHOSEN)).status, 200)
  })

  test('ends every session at once', async () => {
    const person = await signUp(market)
    const sessions = [await person.logIn(), await person.logIn()]
    const token = await person.forget()
    const before = await me(sessions[0]!.body.token)

    await reset(token)

    assert.equal(before.status, 200)
    for (const { body } of sessions) {
      const after = await me(body.token)
      assert.equal(after.status, 401)
      assert.equal(after.body.code, 'invalid_token')
    }
    const { body } = await person.logIn(CHOSEN)
    assert.equal((await me(body.token)).status, 200)
  })

  test('confirms the email, because the link was mailed to it', async () => {
    const person = await signUp(market, { isVerified: false })
    const token = await person.forget()

    await reset(token)

    const { status, body } = await person.logIn(CHOSEN)
    assert.equal(status, 200)
    assert.equal(body.worker.email_verified, true)
  })

  test('400 the second time: a link works once', async () => {
    const person = await signUp(market)
    const token = await person.forget()
    await reset(token)

    const { status, body } = await reset(token, 'another password')

    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_mail_link')
    assert.equal((await person.logIn(CHOSEN)).status, 200)
  })

  test('one of 8 concurrent requests with one link sets the password', async () => {
    const person = await signUp(market)
    const token = await person.forget()
    const passwords = Array.from({ length: 8 }, (_, i) => `password number ${i}`)

    const replies = await Promise.all(passwords.map((password) => reset(token, password)))

    const chosen = replies.findIndex(({ status }) => status === 202)
    const refused = replies.filter(({ body }) => body.code === 'invalid_mail_link')
    assert(chosen >= 0)
    assert.equal(refused.length, 7)
    assert.equal((await person.logIn(passwords[chosen])).status, 200)
  })

  test('the link works for 30 minutes, then 400', async () => {
    const [early, late] = [await signUp(market), await signUp(market)]
    const tokens = [await early.forget(), await late.forget()] as const

    market.advance(30 * MINUTE - 1)
    const inTime = await reset(tokens[0])
    market.advance(1)
    const tooLate = await reset(tokens[1])

    assert.equal(inTime.status, 202)
    assert.equal(tooLate.status, 400)
    assert.equal(tooLate.body.code, 'invalid_mail_link')
  })

  test('400 with a link that is not the newest', async () => {
    const person = await signUp(market)
    const [older, newer] = [await person.forget(), await person.forget()]

    const replies = [await reset(older), await reset(newer)]

    assert.deepEqual(
      replies.map(({ status }) => status),
      [400, 202],
    )
  })

  test('400 for an unknown token, or a link that confirms an address', async () => {
    const person = await signUp(market, { isVerified: false })

    for (const token of ['x', person.linkToken, person.id]) {
      const { status, body } = await reset(token)

      assert.equal(status, 400)
      assert.equal(body.code, 'invalid_mail_link')
    }
  })

  test('400 for a password that is too short; the link can still be used', async () => {
    const person = await signUp(market)
    const token = await person.forget()

    const short = await reset(token, 'short')

    assert.equal(short.status, 400)
    assert.deepEqual(short.body.details, [
      { path: 'password', message: 'must have at least 8 characters' },
    ])
    assert.equal((await reset(token)).status, 202)
  })

  test('400 for a common password or the email, if those are refused', async () => {
    const person = await signUp(strict)
    const token = await person.forget()

    for (const password of ['password123', person.email]) {
      const { status, body } = await strict.call('POST', '/worker/password/reset', {
        body: { token, password },
      })

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'password')
    }
  })

  test('a suspended worker stays suspended', async () => {
    const person = await signUp(market)
    const token = await person.forget()
    await market.asOwner(`update workers set status = 'suspended' where id = $1`, [person.id])

    const { status } = await reset(token)

    assert.equal(status, 202)
    assert.equal((await person.logIn(CHOSEN)).body.code, 'worker_suspended')
  })
})
