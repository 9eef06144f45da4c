import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { signUp } from '../../test/people.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { endEmailChanges } from './end-email-changes.ts'

const HOUR = 3_600_000
const market = await marketplace({ mail: true })
const { ask } = openEmailChanges(market)

describe('workers.end-email-changes', () => {
  test('ends a change that was not confirmed in time', async () => {
    const person = await signUp(market)
    await ask(person)

    market.advance(24 * HOUR)
    await sweepEverywhere(market, endEmailChanges)

    const [row] = await market.asOwner(
      'select ended_for from worker_email_changes where worker_id = $1',
      [person.id],
    )
    assert.equal(row!.ended_for, 'expired')
  })

  test('releases an address that was reserved by a confirmation that never ended', async () => {
    const person = await signUp(market)
    await ask(person)
    await market.asOwner(
      `insert into worker_emails (email, worker_id)
       select lower(new_email), worker_id from worker_email_changes where worker_id = $1`,
      [person.id],
    )

    market.advance(24 * HOUR)
    await sweepEverywhere(market, endEmailChanges)

    const rows = await market.asOwner('select email from worker_emails where worker_id = $1', [
      person.id,
    ])
    assert.deepEqual(rows, [{ email: person.email.toLowerCase() }])
  })
})
