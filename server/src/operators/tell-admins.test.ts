import assert from 'node:assert/strict'
import { test } from 'node:test'
import { signIn } from '../../test/desk/sign-in.ts'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace({ roles: ['jobs', 'desk'], mail: true })

test('all administrators learn who was invited, got a role or was enabled, and by whom', async () => {
  const admin = await signIn(market, 'admin', { name: 'Ada', email: 'ada@desk.example' })
  await signIn(market, 'admin', { email: 'bea@desk.example' })
  await signIn(market, 'finance', { email: 'cleo@desk.example' })

  const { body } = await admin.post('/operators', { email: 'dan@desk.example', name: 'Dan' })
  const invited = await market.inbox.mailTo('bea@desk.example')
  await admin.put(`/operators/${body.operator.id}`, { role: 'finance' })
  const changed = await market.inbox.mailTo('bea@desk.example')

  assert.equal(invited.subject, 'Dan has the role viewer on the Legwork desk')
  assert.match(invited.text, /By: Ada/)
  assert.equal(changed.subject, 'Dan has the role finance on the Legwork desk')
  assert.equal((await market.inbox.mailTo('ada@desk.example')).subject, invited.subject)
  assert.deepEqual(market.inbox.unreadTo('cleo@desk.example'), [])
})

test('nobody is told without a mail server', async () => {
  const silent = await marketplace({ roles: ['jobs', 'desk'] })
  const admin = await signIn(silent, 'admin')

  const { status } = await admin.post('/operators', { email: 'eve@desk.example', name: 'Eve' })

  assert.equal(status, 201)
})
