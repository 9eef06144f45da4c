import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountStatus, objectBy, shutOut } from '../../test/decisions.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const DAY = 86_400_000

describe('POST /worker/objections', () => {
  test('[5-objection] 201: queues the objection for an operator, with the reply deadline', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)

    const { status, body } = await objectBy(market, token, '  The photos are mine  ')

    assert.equal(status, 201)
    assert.equal(
      Date.parse(body.decision.reply_by) - Date.parse(body.decision.objected_at),
      14 * DAY,
    )
    assert.deepEqual([body.decision.reply, body.decision.kind], [null, 'suspended'])
    const { out, isBad } = await ops(market, 'objections')
    assert.equal(isBad, true)
    assert.match(out, new RegExp(`${person.id} \\(wdn_`))
    assert.match(out, /objection: The photos are mine\n/)
  })

  test('409 for a second objection; the same words again return the first', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)
    await objectBy(market, token)

    const [same, other] = [await objectBy(market, token), await objectBy(market, token, 'No')]

    assert.equal(same.status, 201)
    assert.deepEqual([other.status, other.body.code], [409, 'objection_used'])
  })

  test('concurrent requests create one objection', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)

    const replies = await Promise.all(
      ['one', 'two', 'three', 'four'].map((words) => objectBy(market, token, words)),
    )

    const statuses = replies.map(({ status }) => status)
    assert.deepEqual(
      statuses.toSorted((a, b) => a - b),
      [201, 409, 409, 409],
    )
  })

  test('409 after the account is active again', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)
    await ops(market, 'worker', 'reinstate', person.id, 'x')

    const { status, body } = await objectBy(market, token)

    assert.deepEqual([status, body.code], [409, 'decision_ended'])
  })

  test('409 with the link of an earlier decision', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)
    await shutOut(market, person, 'close')

    assert.equal((await objectBy(market, token)).body.code, 'decision_ended')
  })

  test('400 with the same message for an unknown and for an expired link', async () => {
    const person = await signUp(market)
    const { body: refused } = await shutOut(market, person).then(() => person.logIn())
    const fromLogin = new URL(refused.objection_url as string).searchParams.get('token')!
    market.advance(61 * 60_000)

    const expired = await objectBy(market, fromLogin)
    const unknown = await objectBy(market, 'a'.repeat(43))
    const guessed = await objectBy(market, '%')

    for (const { status, body } of [expired, unknown, guessed])
      assert.deepEqual(
        [status, body.code, body.error],
        [400, 'invalid_mail_link', unknown.body.error],
      )
  })

  test('400 for an empty or too long text, 413 for a body that is too large; nothing is stored', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)

    const statuses = []
    for (const statement of ['', '   ', 'x'.repeat(4001), 'x'.repeat(40_000)])
      statuses.push((await objectBy(market, token, statement)).status)

    assert.deepEqual(statuses, [400, 400, 400, 413])
    assert.equal((await objectBy(market, token, 'x'.repeat(4000))).status, 201)
  })
})

describe('ops objection', () => {
  test('uphold: the account stays as it is, and the worker gets the note', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person, 'close')
    await objectBy(market, token)

    const { out } = await ops(
      market,
      'objection',
      person.id,
      'uphold',
      'The',
      'photos',
      'are',
      'old',
    )
    await market.work()

    assert.match(out, /stays closed/)
    assert.equal(await accountStatus(market, person.id), 'closed')
    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.subject, 'Our reply to your objection')
    assert.match(mail.text, /stays closed\.[^]*Our reply: The photos are old/)
  })

  test('reinstate, by the id of the decision: the worker can log in, and gets the note', async () => {
    const person = await signUp(market)
    const { token, decision } = await shutOut(market, person, 'close')
    await objectBy(market, token)

    await ops(market, 'objection', decision.id, 'reinstate', 'You are right')
    await market.work()

    assert.equal((await person.logIn()).status, 200)
    const mail = await market.inbox.mailTo(person.email)
    assert.match(mail.text, /We agree with your objection[^]*Our reply: You are right/)
  })

  test('is refused without a pending objection, and a suspended account with one is not closed', async () => {
    const person = await signUp(market)
    const { token } = await shutOut(market, person)

    const none = await ops(market, 'objection', person.id, 'uphold', 'x')
    await objectBy(market, token)
    const early = await ops(market, 'worker', 'close', person.id, 'x')
    await ops(market, 'objection', person.id, 'uphold', 'x')
    const twice = await ops(market, 'objection', person.id, 'reinstate', 'x')
    const unknown = await ops(market, 'objection', 'wdn_nothing', 'uphold', 'x')

    assert.deepEqual(
      [none.isBad, early.isBad, twice.isBad, unknown.isBad],
      [true, true, true, true],
    )
    assert.match(early.out, /reply first: ops objection/)
    await assert.rejects(ops(market, 'objection', person.id, 'perhaps', 'x'), /must be `uphold`/)
  })
})
