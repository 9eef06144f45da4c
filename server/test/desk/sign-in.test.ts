import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ROLES } from '../../src/kit/rights.ts'
import { marketplace } from '../harness.ts'
import { deskClient, signIn } from './sign-in.ts'

const market = await marketplace({ roles: ['api', 'desk'] })

for (const role of ROLES)
  test(`a session of the role ${role} works on the desk’s port`, async () => {
    const operator = await signIn(market, role)

    const { status, body } = await operator.get('/session')

    assert.equal(status, 200)
    assert.equal(body.operator.role, role)
  })

test('401 without a session', async () => {
  assert.equal((await deskClient(market).get('/session')).status, 401)
})

test('after signing out, the session is over', async () => {
  const operator = await signIn(market, 'viewer')
  const { cookie } = operator.jar

  const out = await operator.delete('/session')
  const again = await deskClient(market, cookie).get('/session')

  assert.equal(out.status, 200)
  assert.equal(operator.jar.cookie, '')
  assert.equal(again.status, 401)
})
