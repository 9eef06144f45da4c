import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { openEmailChanges } from '../../test/email-changes.ts'
import { marketplace } from '../../test/harness.ts'
import { signUp, tokenOf } from '../../test/people.ts'

const market = await marketplace({ mail: true })
const { confirm, ask } = openEmailChanges(market)

describe('DELETE /worker/email', () => {
  test('200: the link to the new address no longer works', async () => {
    const person = await signUp(market)
    const { worker, toNew } = await ask(person)

    const { status } = await worker.delete('/worker/email')

    assert.equal(status, 200)
    assert.equal((await confirm(tokenOf(toNew))).status, 400)
    assert.equal((await worker.get('/worker/email')).body.change, null)
  })
})
