import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { forgetEvidence } from './forget-evidence.ts'

const DAY = 86_400_000
const market = await marketplace()

test('the original data inside a photo is erased after 30 days; its checks and the photo stay', async () => {
  const agent = await market.agent({ balanceCents: 5000 })
  await market.taskIn(agent, 'proof_submitted', { proof_required: 'photo' })
  const rows = () =>
    market.asOwner('select status, evidence is null as is_erased, checks::text from files')
  const run = () => sweepEverywhere(market, forgetEvidence)
  const before = await rows()

  market.advance(29 * DAY)
  await run()
  assert.deepEqual(await rows(), before)
  market.advance(2 * DAY)
  await run()

  assert.equal(before[0]!.is_erased, false)
  assert.deepEqual(await rows(), [{ ...before[0], is_erased: true }])
})
