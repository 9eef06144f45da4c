import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask } from '../../test/questions.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { closeAnswered } from './close-answered.ts'

const market = await marketplace()
const DAY = 86_400_000

async function statusNow(id: string): Promise<unknown> {
  await sweepEverywhere(market, closeAnswered)
  const [row] = await market.asOwner('select status from questions where id = $1', [id])
  return row!.status
}

describe('questions.close-answered', () => {
  test('closes a question 14 days after its last answer', async () => {
    const { id } = await ask(await market.worker())
    await answer(market, id)

    market.advance(13 * DAY)
    await answer(market, id, 'One more thing.')
    market.advance(13 * DAY)
    const early = await statusNow(id)
    market.advance(DAY)

    assert.equal(early, 'answered')
    assert.equal(await statusNow(id), 'closed')
  })

  test('leaves open questions alone, however old', async () => {
    const { id } = await ask(await market.worker())

    market.advance(100 * DAY)

    assert.equal(await statusNow(id), 'open')
  })
})
