import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, signUp, tokenOf } from '../../test/people.ts'

const market = await marketplace({ mail: true })

const ask = (email: unknown) => market.call('POST', '/worker/verify/resend', { body: { email } })

describe('POST /worker/verify/resend', () => {
  test('202: sends another link, which confirms the address', async () => {
    const person = await signUp(market, { isVerified: false })

    const { status, body } = await ask(person.email.toUpperCase())
    await market.work()

    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['message'])
    const token = tokenOf(await market.inbox.mailTo(person.email))
    assert.notEqual(token, person.linkToken)
    const verified = await market.call('POST', '/worker/verify', { body: { token } })
    assert.equal(verified.status, 200)
  })

  test('202: a confirmed worker gets a mail with a password reset link and no token', async () => {
    const person = await signUp(market)

    const { status } = await ask(person.email)
    await market.work()

    assert.equal(status, 202)
    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.subject, 'You are already registered with Legwork')
    assert.deepEqual(
      mail.links.map(({ pathname, search }) => pathname + search),
      ['/reset'],
    )
  })

  test('202 with the same body for an unknown address, which gets no mail', async () => {
    const person = await signUp(market)
    const stranger = newEmail()

    const replies = [await ask(person.email), await ask(stranger), await ask('a@b.example')]
    await market.work()

    assert.deepEqual(
      replies.map(({ status, text }) => [status, text]),
      Array(3).fill([202, replies[0]!.text]),
    )
    assert.deepEqual(market.inbox.unreadTo(stranger), [])
  })

  test('writes the same number of rows for an unknown address, to take the same time', async (t) => {
    const person = await signUp(market)
    const times = { known: [] as number[], unknown: [] as number[] }

    for (let i = 0; i < 45; i += 1)
      for (const [kind, email] of [
        ['known', person.email],
        ['unknown', newEmail()],
      ] as const) {
        const start = performance.now()
        await ask(email)
        if (i >= 5) times[kind].push(performance.now() - start)
      }

    const [row] = await market.asOwner(
      `select count(*) filter (where data->>'worker_id' is not null)::int as known,
              count(*) filter (where data->>'worker_id' is null)::int as unknown from outbox`,
    )
    await market.work()
    const [known, unknown] = [median(times.known), median(times.unknown)]
    t.diagnostic(`medians of 40: known ${known.toFixed(2)} ms, unknown ${unknown.toFixed(2)} ms`)
    assert.deepEqual(row, { known: 45, unknown: 45 })
    assert(Math.abs(known - unknown) / Math.max(known, unknown) < 0.25, `${known} and ${unknown}`)
  })

  test('400 for an invalid email', async () => {
    for (const email of [undefined, '', 'ann', 7]) {
      const { status, body } = await ask(email)

      assert.equal(status, 400)
      assert.equal(body.details[0].path, 'email')
    }
  })
})

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[Math.floor(values.length / 2)]!
}
