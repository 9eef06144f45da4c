import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { newEmail } from '../../test/people.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { endNoContact } from './end-no-contact.ts'

const market = await marketplace({ mail: true })
const DAY = 86_400_000

async function request(value: string) {
  const email = newEmail()
  await market.call('POST', '/do-not-contact/requests', { body: { kind: 'phone', value, email } })
  const [row] = await market.asOwner('select id from do_not_contact where email = $1', [email])
  const stateOf = async () =>
    (await market.asOwner('select state, value from do_not_contact where id = $1', [row!.id]))[0]!
  return { id: row!.id as string, email, stateOf }
}

async function after(days: number): Promise<void> {
  market.advance(days * DAY)
  await sweepEverywhere(market, endNoContact)
  await market.work()
}

test('a request that nobody decided expires after 14 days; the person is told', async () => {
  const { email, stateOf } = await request('+493012340001')
  await after(13)
  const before = await stateOf()

  await after(1)

  assert.equal(before.state, 'requested')
  assert.deepEqual(await stateOf(), { state: 'lapsed', value: null })
  assert.match((await market.inbox.mailTo(email)).subject, /in time/)
})

test('a protection ends after two years; the person is told', async () => {
  const { id, email, stateOf } = await request('+493012340002')
  await ops(market, 'do-not-contact', id, 'confirm', 'Yes')
  await market.work()
  await market.inbox.mailTo(email)
  await after(729)
  const before = await stateOf()

  await after(1)

  assert.equal(before.state, 'confirmed')
  assert.equal((await stateOf()).state, 'ended')
  assert.match((await market.inbox.mailTo(email)).subject, /no longer protected/)
})
