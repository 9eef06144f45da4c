import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { PASSWORD } from '../../test/people.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })

const emailOf = async (id: string) =>
  (await market.asOwner('select email from workers where id = $1', [id]))[0]!.email

describe('workers.mail-closing', () => {
  test('the address is erased once the last mail is sent', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', { current_password: PASSWORD })
    await market.work()
    await market.inbox.mailTo(worker.email)
    market.advance(14 * DAY)
    await market.sweep()
    assert.equal(await emailOf(worker.id), worker.email)

    await market.work()

    const mail = await market.inbox.mailTo(worker.email)
    assert.match(mail.subject, /is closed/)
    assert.match(mail.text, /records of payments/)
    assert.doesNotMatch(mail.text, /owe/)
    assert.equal(await emailOf(worker.id), `${worker.id}@closed.invalid`)
  })

  test('no mail about a request that was taken back', async () => {
    const worker = await market.worker()
    await worker.post('/worker/close', { current_password: PASSWORD })
    await worker.delete('/worker/close')

    await market.work()

    assert.deepEqual(market.inbox.unreadTo(worker.email), [])
  })
})
