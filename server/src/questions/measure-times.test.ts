import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { answer, ask, askAsAgent } from '../../test/questions.ts'
import { runEverywhere } from '../../test/run-sweep.ts'
import { measureTimes } from './measure-times.ts'

const market = await marketplace()
const HOUR = 3_600_000
const DAY = 24 * HOUR

test('workers see the median of the answers of the last 30 days, if there are at least 20', async () => {
  const usual = async () => {
    await runEverywhere(market, measureTimes)
    const worker = await market.worker()
    return (await worker.get('/worker/questions')).body.service_time.usual_hours as number | null
  }
  const answerAfter = async (hours: number) => {
    const { id } = await ask(await market.worker())
    market.advance(hours * HOUR)
    await answer(market, id)
    return id
  }

  // Long ago, all were slow; agents have a figure of their own.
  for (let i = 0; i < 20; i += 1) await answerAfter(10)
  const slow = await usual()
  market.advance(31 * DAY)
  const gone = await usual()
  const asked = await askAsAgent(await market.agent())
  await answer(market, asked.id)
  const last = await answerAfter(1)
  // A second answer without a new message isn't an answer that somebody waited for.
  await answer(market, last, 'One more thing.')
  for (let i = 0; i < 18; i += 1) await answerAfter(2)
  const tooFew = await usual()
  await answerAfter(2)

  assert.equal(slow, 10)
  assert.equal(gone, null)
  assert.equal(tooFew, null)
  assert.equal(await usual(), 2)
})
