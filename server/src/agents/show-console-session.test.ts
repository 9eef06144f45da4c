import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser } from '../../test/people.ts'

const market = await marketplace()

describe('GET /console/session', () => {
  test('200: the same body as the login', async () => {
    const { test_api_key } = await market.agent()
    const browser = openBrowser(market)
    const signedIn = await browser.post('/console/session', { api_key: test_api_key })

    const shown = await browser.get('/console/session')

    assert.equal(shown.status, 200)
    assert.equal(shown.body.agent.mode, 'test')
    assert.deepEqual(shown.body, signedIn.body)
  })

  test('200 with a key, which has no session and no expiry', async () => {
    const agent = await market.agent()

    const { body } = await agent.get('/console/session')

    assert.equal(body.agent.id, agent.id)
    assert.equal(body.expires_at, null)
  })

  test('401 without credentials, and for a cookie without a session', async () => {
    const nobody = await market.call('GET', '/console/session')
    const invented = await market.call('GET', '/console/session', {
      headers: { cookie: '__Host-legwork-console=invented' },
    })

    assert.deepEqual([nobody.status, invented.status], [401, 401])
  })
})
