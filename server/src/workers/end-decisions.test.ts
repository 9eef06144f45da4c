import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { accountStatus, objectBy, shutOut } from '../../test/decisions.ts'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { signUp } from '../../test/people.ts'

const DAY = 86_400_000

/** Each test gets its own market, because it moves the clock by weeks. */
async function suspended(how: 'suspend' | 'close' = 'suspend', ...words: string[]) {
  const market = await marketplace({ mail: true })
  const person = await signUp(market)
  const { token } = await shutOut(market, person, how, ...words)
  const status = () => accountStatus(market, person.id)
  const after = async (days: number) => {
    market.advance(days * DAY)
    await market.sweep()
    await market.work()
  }
  return { market, person, token, status, after }
}

describe('workers.end-decisions', () => {
  test('ends a suspension at its time, and notifies the worker', async () => {
    const { market, person, status, after } = await suspended('suspend', '--days', '3')

    await after(2.9)
    const early = await status()
    await after(0.2)

    assert.deepEqual([early, await status()], ['suspended', 'active'])
    const mail = await market.inbox.mailTo(person.email)
    assert.match(mail.text, /The suspension of your Legwork account has ended\./)
    assert.equal((await person.logIn()).status, 200)
  })

  test('does not reopen a closed account', async () => {
    const { status, after } = await suspended('close')

    await after(1000)

    assert.equal(await status(), 'closed')
  })

  test('[5-objection-reply] an objection without a reply in 14 days reinstates', async () => {
    const { market, person, token, status, after } = await suspended('close')
    assert.equal((await objectBy(market, token)).status, 201)

    await after(13.9)
    const early = await status()
    await after(0.2)

    assert.deepEqual([early, await status()], ['closed', 'active'])
    const mail = await market.inbox.mailTo(person.email)
    assert.match(mail.text, /We did not reply to your objection in time, so/)
    const [row] = await market.asOwner('select ended_for, ended_by from worker_decisions')
    assert.deepEqual(row, { ended_for: 'no_reply', ended_by: null })
  })

  test('a rejected objection does not change the end of the suspension', async () => {
    const { market, person, token, status, after } = await suspended('suspend')
    await objectBy(market, token)
    await ops(market, 'objection', person.id, 'uphold', 'We looked')

    await after(15)
    const half = await status()
    await after(16)

    assert.deepEqual([half, await status()], ['suspended', 'active'])
    const [row] = await market.asOwner('select ended_for, reply from worker_decisions')
    assert.deepEqual(row, { ended_for: 'time_passed', reply: 'upheld' })
  })

  test('two concurrent processes end a suspension once', async () => {
    const { market, status } = await suspended()
    market.advance(31 * DAY)

    await Promise.all([market.sweep(), market.sweep()])

    const outbox = await market.asOwner(`select id from outbox where type = 'worker.reinstated'`)
    assert.deepEqual([await status(), outbox.length], ['active', 1])
  })
})
