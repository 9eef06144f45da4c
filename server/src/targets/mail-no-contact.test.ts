import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { newEmail } from '../../test/people.ts'

const market = await marketplace({ mail: true })

async function confirmed(value: string, email?: string): Promise<void> {
  const body = { kind: 'phone', value, reason: 'Buy pills at http://spam.example', email }
  await market.call('POST', '/do-not-contact/requests', { body })
  const [row] = await market.asOwner(`select id from do_not_contact where state = 'requested'`)
  await ops(market, 'do-not-contact', String(row!.id), 'confirm', 'Done')
  await market.work()
}

test('says what was decided, until when, and nothing that the person wrote', async () => {
  const email = newEmail()

  await confirmed('+493012340001', email)

  const mail = await market.inbox.mailTo(email)
  assert.match(mail.subject, /won’t send workers/)
  assert.match(mail.text, /This lasts until .*20\d\d/)
  assert.match(mail.text, /Our answer: Done/)
  assert.doesNotMatch(mail.text, /pills|12340001/)
})

test('without an address, there is no mail', async () => {
  await confirmed('+493012340002')

  const jobs = await market.asOwner(
    'select last_error from graphile_worker.jobs where attempts > 0',
  )
  assert.deepEqual(jobs, [])
})
