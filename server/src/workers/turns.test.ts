import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { takeTurns } from './turns.ts'

/** Work that runs until `finish` is called. */
function open(inTurn: ReturnType<typeof takeTurns>) {
  const work = { begun: false, finish: () => {}, done: Promise.resolve('') }
  const end = Promise.withResolvers<void>()
  work.finish = end.resolve
  work.done = inTurn(async () => {
    work.begun = true
    await end.promise
    return 'done'
  })
  return work
}

const settle = () => new Promise((resolve) => setImmediate(resolve))

describe('takeTurns', () => {
  test('runs 4 at once, and the next as soon as one has finished, in order', async () => {
    const inTurn = takeTurns({ atOnceMax: 4, waitingMax: 64 })
    const works = Array.from({ length: 10 }, () => open(inTurn))
    const begun = () => works.flatMap(({ begun }, i) => (begun ? [i] : []))
    await settle()
    const first = begun()

    works[2]!.finish()
    await settle()

    assert.deepEqual(first, [0, 1, 2, 3])
    assert.deepEqual(begun(), [0, 1, 2, 3, 4])
    for (const { finish } of works) finish()
    assert.deepEqual(
      await Promise.all(works.map(({ done }) => done)),
      Array<string>(10).fill('done'),
    )
  })

  test('503 if 64 wait; afterwards there is room again', async () => {
    const inTurn = takeTurns({ atOnceMax: 4, waitingMax: 64 })
    const works = Array.from({ length: 68 }, () => open(inTurn))

    await assert.rejects(open(inTurn).done, { status: 503, code: 'unavailable' })

    for (const { finish } of works) finish()
    await Promise.all(works.map(({ done }) => done))
    assert.equal(await inTurn(async () => 'again'), 'again')
  })

  test('failing work passes its turn on', async () => {
    const inTurn = takeTurns({ atOnceMax: 1, waitingMax: 1 })
    const failing = inTurn(async () => {
      throw new Error('failed')
    })
    const next = inTurn(async () => 'next')

    await assert.rejects(failing, /failed/)
    assert.equal(await next, 'next')
    assert.equal(await inTurn(async () => 'and again'), 'and again')
  })
})
