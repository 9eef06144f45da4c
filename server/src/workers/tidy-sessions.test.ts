import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { runEverywhere } from '../../test/run-sweep.ts'
import { signUp } from '../../test/people.ts'
import { tidySessions } from './tidy-sessions.ts'

const DAY = 86_400_000
const market = await marketplace({ mail: true })

test('workers.tidy-sessions deletes expired sessions and keeps the others', async () => {
  const person = await signUp(market)
  await person.logIn()
  market.advance(8 * DAY)
  const { token } = (await person.logIn()).body

  await runEverywhere(market, tidySessions)

  const rows = await market.asOwner('select 1 from worker_sessions where worker_id = $1', [
    person.id,
  ])
  assert.equal(rows.length, 1)
  assert.equal((await market.client(token).get('/worker/profile')).status, 200)
})
