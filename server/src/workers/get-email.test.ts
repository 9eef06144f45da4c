import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { signUp } from '../../test/people.ts'

const HOUR = 3_600_000
const market = await marketplace({ mail: true })
const { ask, session } = openEmailChanges(market)

describe('GET /worker/email', () => {
  test('200: the email, and null without a change', async () => {
    const person = await signUp(market)

    const { status, body } = await (await session(person)).get('/worker/email')

    assert.equal(status, 200)
    assert.deepEqual(body, { email: person.email, change: null })
  })

  test('shows no change of another worker, and none that has expired', async () => {
    const [person, other] = [await signUp(market), await signUp(market)]
    await ask(other)
    const { worker } = await ask(person)
    const theirs = await session(await signUp(market))

    assert.equal((await theirs.get('/worker/email')).body.change, null)
    market.advance(24 * HOUR)
    assert.equal((await worker.get('/worker/email')).body.change, null)
  })
})
