import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { addDevice, openPushService } from '../../test/devices.ts'
import { marketplace } from '../../test/harness.ts'
import { openBrowser, signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const service = await openPushService({ after })

const me = (token: string) => market.client(token).get('/worker/profile')
const idOfCurrent = async (token: string) => {
  const { body } = await market.client(token).get('/worker/sessions')
  return body.sessions.find(({ is_current }: { is_current: boolean }) => is_current).id as string
}

describe('DELETE /worker/sessions/:id', () => {
  test('200: logs out that device only', async () => {
    const person = await signUp(market)
    const [lost, kept] = [(await person.logIn()).body.token, (await person.logIn()).body.token]

    const { status } = await market
      .client(kept)
      .delete(`/worker/sessions/${await idOfCurrent(lost)}`)

    assert.equal(status, 200)
    assert.equal((await me(lost)).status, 401)
    assert.equal((await me(kept)).status, 200)
  })

  test('the device gets no more notifications, others do', async () => {
    const person = await signUp(market)
    const [lost, kept] = [(await person.logIn()).body.token, (await person.logIn()).body.token]
    for (const token of [lost, kept]) await addDevice(service, { ...market.client(token) } as never)

    await market.client(kept).delete(`/worker/sessions/${await idOfCurrent(lost)}`)

    const { body } = await market.client(kept).get('/worker/push')
    assert.equal(body.subscriptions.length, 1)
  })

  test('404 for the session of another worker, which goes on', async () => {
    const [person, other] = [await signUp(market), await signUp(market)]
    const [mine, theirs] = [(await person.logIn()).body.token, (await other.logIn()).body.token]

    const { status, body } = await market
      .client(mine)
      .delete(`/worker/sessions/${await idOfCurrent(theirs)}`)

    assert.equal(status, 404)
    assert.equal(body.code, 'session_not_found')
    assert.equal((await me(theirs)).status, 200)
  })

  test('404 the second time', async () => {
    const person = await signUp(market)
    const [lost, kept] = [(await person.logIn()).body.token, (await person.logIn()).body.token]
    const id = await idOfCurrent(lost)
    await market.client(kept).delete(`/worker/sessions/${id}`)

    const { status } = await market.client(kept).delete(`/worker/sessions/${id}`)

    assert.equal(status, 404)
  })

  test('a copied cookie is worthless after logging out of the browser', async () => {
    const person = await signUp(market)
    const browser = openBrowser(market)
    await browser.logIn(person)
    const { cookie } = browser.jar

    await browser.delete('/worker/session')

    const { status } = await market.call('GET', '/worker/profile', { headers: { cookie } })
    assert.equal(status, 401)
    const { body } = await market.call('GET', '/worker/session', { headers: { cookie } })
    assert.equal(body.worker, null)
  })
})
