import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { openBrowser } from '../../test/people.ts'

const market = await marketplace()
const agent = await market.agent()

async function player() {
  const { body } = await agent.test.post('/test/workers', { name: 'Ann' })
  return body as { token: string; worker: { id: string } }
}

describe('POST /worker/session/play', () => {
  test('200: sets a cookie for the app, and marks the worker as a test worker', async () => {
    const { token, worker } = await player()
    const browser = openBrowser(market)

    const { status, body } = await browser.post('/worker/session/play', { token })

    assert.equal(status, 200)
    assert.deepEqual([body.worker.id, body.worker.mode], [worker.id, 'test'])
    const session = await browser.get('/worker/session')
    assert.deepEqual([session.body.worker.id, session.body.worker.mode], [worker.id, 'test'])
    assert.equal((await browser.get('/worker/feed')).status, 200)
  })

  test('401 for a real worker’s token, an expired one, and an invalid one; no cookie', async () => {
    const person = await market.worker()
    const { token } = await player()
    market.advance(8 * 86_400_000)
    const browser = openBrowser(market)

    for (const one of [person.token, token, 'x']) {
      const { status, body, headers } = await browser.post('/worker/session/play', { token: one })
      assert.deepEqual([status, body.code], [401, 'invalid_token'])
      assert.deepEqual(headers.getSetCookie(), [])
    }
  })

  test('403 from a foreign page', async () => {
    const { token } = await player()

    const { status } = await openBrowser(market).post(
      '/worker/session/play',
      { token },
      { origin: 'https://elsewhere.example' },
    )

    assert.equal(status, 403)
  })
})
