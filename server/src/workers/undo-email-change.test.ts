import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD, signUp, tokenOf } from '../../test/people.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { endEmailChanges } from './end-email-changes.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })
const CHOSEN = 'a password of one’s own choice'
const { logIn, confirm, undo, ask, changed } = openEmailChanges(market)

describe('POST /worker/email/undo', () => {
  test('before the confirmation: stops the change, ends sessions and the password, mails a link', async () => {
    const person = await signUp(market)
    const { worker, toNew, toOld } = await ask(person)

    const { status, body } = await undo(tokenOf(toOld))
    await market.work()

    assert.equal(status, 200)
    assert.equal(body.email, person.email)
    assert.equal((await confirm(tokenOf(toNew))).status, 400)
    assert.equal((await worker.get('/worker/profile')).status, 401)
    assert.equal((await person.logIn()).status, 401)
    const token = tokenOf(await market.inbox.mailTo(person.email))
    await market.call('POST', '/worker/password/reset', { body: { token, password: CHOSEN } })
    assert.equal((await person.logIn(CHOSEN)).status, 200)
  })

  test('after the confirmation: the old address is back, and the new one is free', async () => {
    const person = await signUp(market)
    const { email, undoToken } = await changed(person)

    const { status } = await undo(undoToken)

    assert.equal(status, 200)
    const [row] = await market.asOwner('select email from workers where id = $1', [person.id])
    assert.equal(row!.email, person.email)
    const { status: registered } = await market.call('POST', '/worker/register', {
      body: { name: 'Ann', email, password: PASSWORD },
    })
    assert.equal(registered, 201)
  })

  test('the first owner wins against a chain of changes', async () => {
    const person = await signUp(market)
    const first = await changed(person)
    const thief = { ...person, email: first.email, logIn: () => logIn(first.email) }
    await changed(thief)

    await undo(first.undoToken)

    const [row] = await market.asOwner('select email from workers where id = $1', [person.id])
    assert.equal(row!.email, person.email)
    const open = await market.asOwner(
      'select 1 from worker_email_changes where worker_id = $1 and ended_at is null',
      [person.id],
    )
    assert.equal(open.length, 0)
  })

  test('400 the second time, and after 14 days; until then nobody can register the old address', async () => {
    const [person, slow] = [await signUp(market), await signUp(market)]
    const { undoToken } = await changed(person)
    await undo(undoToken)
    const late = await changed(slow)
    const register = () =>
      market.call('POST', '/worker/register', {
        body: { name: 'Ann', email: slow.email, password: PASSWORD },
      })

    const before = await register()
    market.advance(14 * DAY)
    await sweepEverywhere(market, endEmailChanges)

    assert.equal((await undo(undoToken)).status, 400)
    assert.equal((await undo(late.undoToken)).status, 400)
    assert.equal(before.status, 409)
    assert.equal((await register()).status, 201)
  })
})
