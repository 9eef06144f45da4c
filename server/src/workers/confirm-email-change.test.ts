import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { newEmail, signUp, tokenOf } from '../../test/people.ts'

const HOUR = 3_600_000
const market = await marketplace({ mail: true })
const { logIn, confirm, ask } = openEmailChanges(market)

describe('POST /worker/email/confirm', () => {
  test('200: the new address logs in, the old one does not, and sessions go on', async () => {
    const person = await signUp(market)
    const { email, worker, toNew } = await ask(person)

    const { status, body } = await confirm(tokenOf(toNew))

    assert.equal(status, 200)
    assert.equal(body.email, email)
    assert.equal((await logIn(email)).status, 200)
    assert.equal((await person.logIn()).status, 401)
    assert.equal((await worker.get('/worker/profile')).body.worker.email, email)
  })

  test('400 the second time, and after 24 hours', async () => {
    const [used, late] = [await signUp(market), await signUp(market)]
    const first = await ask(used)
    await confirm(tokenOf(first.toNew))
    const second = await ask(late)
    market.advance(24 * HOUR)

    assert.equal((await confirm(tokenOf(first.toNew))).status, 400)
    const { status, body } = await confirm(tokenOf(second.toNew))
    assert.equal(status, 400)
    assert.equal(body.code, 'invalid_mail_link')
    assert.equal((await late.logIn()).status, 200)
  })

  test('two at once: one wins', async () => {
    const { toNew } = await ask(await signUp(market))

    const replies = await Promise.all([confirm(tokenOf(toNew)), confirm(tokenOf(toNew))])

    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
    )
  })

  test('two workers want the same address: the first to confirm gets it, the other keeps theirs', async () => {
    const [one, other] = [await signUp(market), await signUp(market)]
    const email = newEmail()
    const links = [tokenOf((await ask(one, email)).toNew), tokenOf((await ask(other, email)).toNew)]

    const replies = await Promise.all(links.map(confirm))

    assert.deepEqual(
      replies.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 400],
    )
    const [kept] = await market.asOwner(
      'select count(*)::int as count from workers where email = $1',
      [email],
    )
    assert.equal(kept!.count, 1)
  })
})
