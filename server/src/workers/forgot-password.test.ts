import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { newEmail, signUp, tokenOf } from '../../test/people.ts'

const market = await marketplace({ mail: true })

const ask = (email: unknown) => market.call('POST', '/worker/password/forgot', { body: { email } })

describe('POST /worker/password/forgot', () => {
  test('202: sends a mail with a password reset link', async () => {
    const person = await signUp(market)

    const { status, body } = await ask(person.email.toUpperCase())
    await market.work()

    assert.equal(status, 202)
    assert.deepEqual(Object.keys(body), ['message'])
    const mail = await market.inbox.mailTo(person.email)
    assert.equal(mail.subject, 'Choose a new password for Legwork')
    assert.match(mail.links[0]!.href, /\/reset\?token=[\w-]{43}$/)
    assert.equal(tokenOf(mail).length, 43)
  })

  test('does not change the password and the sessions', async () => {
    const person = await signUp(market)
    const { body } = await person.logIn()

    await ask(person.email)
    await market.work()

    assert.equal((await person.logIn()).status, 200)
    assert.equal((await market.client(body.token).get('/worker/profile')).status, 200)
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
