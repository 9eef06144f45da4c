import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser } from '../../test/people.ts'

const market = await marketplace()

describe('DELETE /console/session', () => {
  test('204: the cookie is cleared, and a copy of it no longer works', async () => {
    const { api_key } = await market.agent()
    const browser = openBrowser(market)
    await browser.post('/console/session', { api_key })
    const { cookie } = browser.jar

    const ended = await browser.delete('/console/session')
    const copy = await market.call('GET', '/wallet', { headers: { cookie } })

    assert.equal(ended.status, 204)
    assert.equal(ended.text, '')
    assert.equal(browser.jar.cookie, '')
    assert.equal(copy.status, 401)
  })

  test('the other sessions of the key stay active', async () => {
    const { api_key } = await market.agent()
    const [one, other] = [openBrowser(market), openBrowser(market)]
    for (const browser of [one, other]) await browser.post('/console/session', { api_key })

    await one.delete('/console/session')

    assert.equal((await other.get('/wallet')).status, 200)
  })

  test('403 from a foreign page: it cannot log somebody out', async () => {
    const { api_key } = await market.agent()
    const browser = openBrowser(market)
    await browser.post('/console/session', { api_key })
    const { cookie } = browser.jar

    const refused = await market.call('DELETE', '/console/session', {
      headers: { cookie, origin: 'https://other.example' },
    })

    assert.equal(refused.status, 403)
    assert.equal((await browser.get('/wallet')).status, 200)
  })
})
