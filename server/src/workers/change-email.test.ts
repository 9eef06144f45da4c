import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { newEmail, PASSWORD, signUp, tokenOf } from '../../test/people.ts'

const HOUR = 3_600_000
const market = await marketplace({ mail: true })
const { logIn, session, confirm, ask } = openEmailChanges(market)

describe('POST /worker/email', () => {
  test('202: a link to the new address, a warning to the old one; the old one stays in use', async () => {
    const person = await signUp(market)

    const { email, worker, reply, toNew, toOld } = await ask(person)

    assert.equal(reply.body.change.new_email, email)
    assert.equal(toNew.links[0]?.pathname, '/email-confirm')
    assert.equal(toOld.links[0]?.pathname, '/email-undo')
    assert(toOld.text.includes(email))
    const { body } = await worker.get('/worker/email')
    assert.equal(body.email, person.email)
    assert.equal(body.change.new_email, email)
    assert.equal((await logIn(email)).status, 401)
  })

  test('403 with a wrong password: a stolen session is not enough', async () => {
    const person = await signUp(market)
    const worker = await session(person)

    const { status, body } = await worker.post('/worker/email', {
      email: newEmail(),
      current_password: 'not it',
    })

    assert.equal(status, 403)
    assert.equal(body.code, 'wrong_password')
    assert.equal((await worker.get('/worker/email')).body.change, null)
  })

  test('an address of another worker gets the same response, and its owner no link to confirm', async () => {
    const [person, other] = [await signUp(market), await signUp(market)]

    const taken = await ask(person, other.email)

    const free = await ask(await signUp(market))
    assert.deepEqual(Object.keys(taken.reply.body.change), Object.keys(free.reply.body.change))
    assert.equal(taken.toNew.links[0]?.pathname, '/reset')
    assert.equal(taken.toNew.links[0]?.searchParams.get('token'), null)
    assert.equal((await other.logIn()).status, 200)
  })

  test('400 for the current address, in any case', async () => {
    const person = await signUp(market)
    const worker = await session(person)

    const { status } = await worker.post('/worker/email', {
      email: person.email.toUpperCase(),
      current_password: PASSWORD,
    })

    assert.equal(status, 400)
  })

  test('another request replaces the first, whose link no longer works', async () => {
    const person = await signUp(market)
    const first = await ask(person)

    const second = await ask(person)

    assert.equal((await confirm(tokenOf(first.toNew))).status, 400)
    assert.equal((await confirm(tokenOf(second.toNew))).status, 200)
  })

  test('409 for the sixth request in an hour, so nobody can have us mail strangers all day', async () => {
    const person = await signUp(market)
    const worker = await session(person)
    const request = () =>
      worker.post('/worker/email', { email: newEmail(), current_password: PASSWORD })

    for (let i = 0; i < 5; i += 1) assert.equal((await request()).status, 202)
    const { status, body } = await request()

    assert.equal(status, 409)
    assert.equal(body.code, 'too_many_email_changes')
    market.advance(HOUR + 1)
    assert.equal((await request()).status, 202)
  })
})
