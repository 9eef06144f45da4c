import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ApiError } from './errors.ts'
import { openShare } from './share.ts'

test('only a fixed number hold a place at once, and the others follow in order', async () => {
  const share = openShare({ places: 2, percent: 0 })
  const order: number[] = []
  let atOnce = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 8 }, async (_, i) => {
      const leave = await share.enter()
      order.push(i)
      atOnce += 1
      most = Math.max(most, atOnce)
      await sleep(5)
      atOnce -= 1
      leave()
    }),
  )
  assert.equal(most, 2)
  assert.deepEqual(order, [0, 1, 2, 3, 4, 5, 6, 7])
})

test('503: a request to a full queue is refused at once, with Retry-After', async () => {
  const share = openShare({ places: 1, percent: 0 })
  const leave = await share.enter()
  const queued = Array.from({ length: 64 }, () => share.enter())
  assert.equal(share.isFull(), true)

  await assert.rejects(share.enter(), (error: unknown) => {
    assert(error instanceof ApiError)
    assert.equal(error.code, 'unavailable')
    assert.equal(error.extra.retry_after_seconds, 5)
    return true
  })

  leave()
  for (const one of queued) (await one)()
  assert.equal(share.isFull(), false)
})

test('after its burst, a share gives only its percentage of the time', async () => {
  const share = openShare({ places: 1, percent: 20, burstMs: 10 })
  const began = performance.now()

  let used = 0
  while (used < 100) {
    const done = await share.enter()
    const at = performance.now()
    await sleep(20)
    used += performance.now() - at
    done()
  }
  const leaveLast = await share.enter()
  leaveLast()

  assert(performance.now() - began > used / 0.25, `${used} ms used in ${performance.now() - began}`)
})

test('leaving twice frees one place', async () => {
  const share = openShare({ places: 1, percent: 0 })
  const leave = await share.enter()
  leave()
  leave()
  const second = await share.enter()
  let isIn = false
  const third = share.enter().then((done) => {
    isIn = true
    return done
  })
  await sleep(5)
  assert.equal(isIn, false)
  second()
  ;(await third)()
})

test('background work is never refused: it waits in the same queue', async () => {
  const share = openShare({ places: 1, percent: 0 })
  const leave = await share.enter()
  const queued = Array.from({ length: 100 }, () => share.patient().enter())
  leave()

  for (const one of queued) (await one)()

  assert.equal(share.isFull(), false)
})
