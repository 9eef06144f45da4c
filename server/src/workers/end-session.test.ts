import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const CLEARED = '__Host-legwork=; Path=/; Secure; HttpOnly; SameSite=Lax; Max-Age=0'

describe('DELETE /worker/session', () => {
  test('200: clears the cookie; other devices stay logged in', async () => {
    const person = await signUp(market)
    const [phone, laptop] = [openBrowser(market), openBrowser(market)]
    await phone.logIn(person)
    await laptop.logIn(person)

    const { status, body, headers } = await phone.delete('/worker/session')

    assert.equal(status, 200)
    assert.deepEqual(Object.keys(body), ['message'])
    assert.deepEqual(headers.getSetCookie(), [CLEARED])
    assert.equal((await phone.get('/worker/session')).body.worker, null)
    assert.equal((await laptop.get('/worker/session')).body.worker.id, person.id)
  })

  test('200 if the session has already ended, or there is none', async () => {
    const browser = openBrowser(market)
    browser.jar.cookie = '__Host-legwork=nonsense'

    const replies = [
      await browser.delete('/worker/session'),
      await browser.delete('/worker/session'),
    ]

    for (const { status, headers } of replies) {
      assert.equal(status, 200)
      assert.deepEqual(headers.getSetCookie(), [CLEARED])
    }
  })

  for (const origin of [undefined, 'null', 'https://evil.example'])
    test(`403 from a page of ${origin ?? 'nobody'}: a foreign page cannot log somebody out`, async () => {
      const worker = await market.worker()

      const { status, body, headers } = await market.call('DELETE', '/worker/session', {
        headers: {
          cookie: `__Host-legwork=${worker.token}`,
          ...(origin === undefined ? {} : { origin }),
        },
      })

      assert.equal(status, 403)
      assert.equal(body.code, 'wrong_origin')
      assert.deepEqual(headers.getSetCookie(), [])
    })
})
