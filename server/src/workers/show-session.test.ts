import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const NOBODY = { worker: null, expires_at: null, is_waiting: false }

describe('GET /worker/session', () => {
  test('200 without a session, and for an invalid cookie; never 401', async () => {
    const replies = []
    for (const headers of [
      {},
      { cookie: '__Host-legwork=nonsense' },
      { authorization: 'Bearer nonsense' },
      { authorization: 'Basic YTpi' },
    ] as Record<string, string>[])
      replies.push(await market.call('GET', '/worker/session', { headers }))

    for (const { status, body, headers } of replies) {
      assert.equal(status, 200)
      assert.deepEqual(body, NOBODY)
      assert.deepEqual(headers.getSetCookie(), [])
    }
  })

  test('200: the logged-in worker and the expiry, without an Origin', async () => {
    const person = await signUp(market)
    const browser = openBrowser(market)
    const begun = await browser.logIn(person)

    const { status, body, headers } = await browser.get('/worker/session')

    assert.equal(status, 200)
    assert.deepEqual(body, {
      worker: begun.body.worker,
      expires_at: begun.body.expires_at,
      is_waiting: false,
    })
    assert.equal(headers.get('cache-control'), 'no-store')
  })

  test('200: a session that is pending until its email is confirmed, with the email', async () => {
    const person = await signUp(market, { isVerified: false })
    const browser = openBrowser(market)
    await browser.logIn(person)

    const { body } = await browser.get('/worker/session')

    assert.equal(body.is_waiting, true)
    assert.equal(body.worker.email, person.email)
    assert.equal(body.worker.status, 'unverified')
  })

  test('200 by a token in the header, which overrides the cookie', async () => {
    const [one, other] = [await market.worker(), await market.worker()]

    const { body } = await market.call('GET', '/worker/session', {
      headers: { authorization: `Bearer ${one.token}`, cookie: `__Host-legwork=${other.token}` },
    })

    assert.equal(body.worker.id, one.id)
  })
})
