import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'

const market = await marketplace()
const ask = (body: unknown) => market.call('POST', '/do-not-contact/requests', { body })
const rows = () => market.asOwner('select * from do_not_contact order by created_at, id')

describe('POST /do-not-contact/requests', () => {
  test('202: waits for an operator, and protects nothing yet', async () => {
    const agent = await market.agent()

    const { status } = await ask({ kind: 'phone', value: '+49 30 1234 0001', reason: 'Six calls' })

    const [row] = await rows()
    assert.equal(status, 202)
    assert.deepEqual(
      [row!.kind, row!.state, row!.value, row!.reason],
      ['phone', 'requested', '+49 30 1234 0001', 'Six calls'],
    )
    const call = await agent.post('/call', { description: 'Ask', number: '+493012340001' })
    assert.equal(call.status, 201)
  })

  test('202 for every request, but an operator sees at most five of one target', async () => {
    const before = (await rows()).length

    for (let i = 0; i < 8; i += 1)
      assert.equal((await ask({ kind: 'phone', value: '+493012340002' })).status, 202)

    assert.equal((await rows()).length, before + 5)
  })

  test('400: what is not a number with its country, an address with a house, or a contact', async () => {
    for (const [kind, value] of [
      ['phone', '030 12340003'],
      ['phone', '+1 212 555 0123'],
      ['place', 'Berlin, Germany'],
      ['person', 'kim@example.com'],
      ['pet', 'x'],
    ])
      assert.equal((await ask({ kind, value })).status, 400, value)
  })

  test('accepts an address, coordinates and an email address', async () => {
    for (const [kind, value] of [
      ['place', 'Moorweg 12, Wedel'],
      ['place', '53.5837, 9.7049'],
      ['person', 'kim@corner-shop.com'],
    ])
      assert.equal((await ask({ kind, value })).status, 202, value)
  })
})
