import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { signUp } from '../../test/people.ts'

const market = await marketplace({ mail: true })

describe('DELETE /worker/sessions', () => {
  test('200: ends every token of the worker at once, and nobody else’s', async () => {
    const [person, other] = [await signUp(market), await market.worker()]
    const tokens = [(await person.logIn()).body.token, (await person.logIn()).body.token]

    const { status } = await market.client(tokens[0]).delete('/worker/sessions')

    assert.equal(status, 200)
    for (const token of tokens) {
      const after = await market.client(token).get('/worker/profile')
      assert.equal(after.status, 401)
      assert.equal(after.body.code, 'invalid_token')
    }
    assert.equal((await other.get('/worker/profile')).status, 200)
  })

  test('the worker can log in again with the same password', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()
    await market.client(body.token).delete('/worker/sessions')

    const again = await person.logIn()

    assert.equal(again.status, 200)
    assert.equal((await market.client(again.body.token).get('/worker/profile')).status, 200)
  })

  test('`keep=current` ends every other token, and this one stays', async () => {
    const person = await signUp(market)
    const [here, other] = [(await person.logIn()).body.token, (await person.logIn()).body.token]

    const { status } = await market.client(here).delete('/worker/sessions?keep=current')

    assert.equal(status, 200)
    assert.equal((await market.client(here).get('/worker/profile')).status, 200)
    assert.equal((await market.client(other).get('/worker/profile')).status, 401)
  })

  test('401 without a token', async () => {
    const { status, body } = await market.call('DELETE', '/worker/sessions')

    assert.equal(status, 401)
    assert.equal(body.code, 'invalid_token')
  })
})
