import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace, PHOTO } from '../../test/harness.ts'
import { AGENT_QUESTION, ask, askAsAgent, QUESTION } from '../../test/questions.ts'
import { runEverywhere, sweepEverywhere } from '../../test/run-sweep.ts'
import { filesOf } from '../files/files.ts'
import { readyKey } from '../files/store.ts'
import { removeOld } from './remove-old.ts'
import { sweepPhotos } from './sweep-photos.ts'

const DAY = 86_400_000
const market = await marketplace()
const { store } = filesOf(market.server.config)

const idsOf = async (questionId: string) =>
  (
    await market.asOwner('select id from question_photos where question_id = $1 order by number', [
      questionId,
    ])
  ).map(({ id }) => id as string)

describe('questions.sweep-photos', () => {
  test('a photo that no message has is removed after a day, the bytes too', async () => {
    const worker = await market.worker()
    const { id } = await ask(worker, { ...QUESTION, photos: [PHOTO] })
    for (const text of ['Where is it now?', 'When is it coming?'])
      await ask(worker, { ...QUESTION, text })
    // A fourth question is refused after its photo was stored.
    const refused = await worker.post('/worker/questions', { ...QUESTION, photos: [PHOTO] })
    const before = await market.asOwner('select id from question_photos where worker_id = $1', [
      worker.id,
    ])
    const [kept] = await idsOf(id)
    const unused = before.map((row) => row.id as string).find((one) => one !== kept)!

    market.advance(DAY)
    await sweepEverywhere(market, sweepPhotos)

    assert.equal(refused.status, 409)
    assert.equal(before.length, 2)
    assert.equal(await store.size(readyKey(unused)), undefined)
    assert(((await store.size(readyKey(kept!))) ?? 0) > 0)
    assert.deepEqual(await idsOf(id), [kept])
  })

  test('are removed with their question, two years after it was closed', async () => {
    const agent = await market.agent()
    const { id } = await askAsAgent(agent, { ...AGENT_QUESTION, photos: [PHOTO] })
    const [photo] = await idsOf(id)
    await agent.post(`/agents/questions/${id}/close`)

    market.advance(731 * DAY)
    await runEverywhere(market, removeOld)
    await sweepEverywhere(market, sweepPhotos)

    assert.equal(await store.size(readyKey(photo!)), undefined)
    const left = await market.asOwner('select id from question_photos where id = $1', [photo])
    assert.deepEqual(left, [])
  })
})
