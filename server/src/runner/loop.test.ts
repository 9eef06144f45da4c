import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../kit/log.ts'
import { loop } from './loop.ts'

const log = openLog('silent')
const LONG_MS = 60_000
const PAUSES = 20

describe('a loop', () => {
  test('runs its step again at once while there is more, then pauses', async (t) => {
    let steps = 0

    start(t, { intervalMs: LONG_MS, step: async () => (++steps < 100 ? 'more' : 'idle') })
    await sleep(50)

    assert.equal(steps, 100)
  })

  test('looks again after its interval', async (t) => {
    const at: number[] = []

    start(t, { intervalMs: 40, step: async () => (at.push(performance.now()), 'idle') })
    await sleep(400)

    assert(at.length >= 3)
    assert(at.slice(1).every((time, i) => time - at[i]! > 35))
  })

  test('goes on after an error, and waits longer each time, up to a bound', async (t) => {
    const at: number[] = []
    const fail = async () => {
      at.push(performance.now())
      throw new Error('no database')
    }

    start(t, { intervalMs: 10, backOffMaxMs: 500, step: fail })
    await sleep(1800)

    const waits = at.slice(1).map((time, i) => time - at[i]!)
    assert(waits.length >= 2)
    assert(waits[0]! > 380 && waits[1]! > waits[0]! + 50)
    assert(waits.every((wait) => wait < 900))
  })

  test('tells of each error, with how many there were in a row', async (t) => {
    const lines: string[] = []
    let steps = 0
    const background = { log: openLog('error', { write: (line) => void lines.push(line) }) }
    const twoFailures = async () => {
      if (++steps <= 2) throw new Error('no database')
      return 'idle' as const
    }

    const looping = loop(background, {
      name: 'test',
      intervalMs: 1,
      backOffMaxMs: 1,
      step: twoFailures,
    })
    t.after(() => looping.stop())
    await sleep(100)

    const failures = lines.map((line) => JSON.parse(line) as { loop: string; failures: number })
    assert.deepEqual(
      failures.map((failure) => [failure.loop, failure.failures]),
      [
        ['test', 1],
        ['test', 2],
      ],
    )
    assert(steps > 3)
  })

  test('stops when the step under way is done, and begins no other', async (t) => {
    let begun = 0
    let done = 0
    const slow = async () => {
      begun += 1
      await sleep(100)
      done += 1
      return 'more' as const
    }
    const looping = start(t, { intervalMs: 1, step: slow })
    await sleep(20)

    await looping.stop()

    assert.deepEqual([begun, done], [1, 1])
  })

  test('stops at once out of a pause', async (t) => {
    const looping = start(t, { intervalMs: LONG_MS, step: async () => 'idle' })
    await sleep(20)

    const before = performance.now()
    await looping.stop()

    assert(performance.now() - before < 1000)
  })

  test('leaves nothing behind on its signal after a pause', async (t) => {
    const added = t.mock.method(AbortSignal.prototype, 'addEventListener')
    const removed = t.mock.method(AbortSignal.prototype, 'removeEventListener')
    const enough = Promise.withResolvers<void>()
    let steps = 0

    const looping = start(t, {
      intervalMs: 1,
      step: async () => {
        steps += 1
        if (steps > PAUSES) enough.resolve()
        return 'idle'
      },
    })
    await enough.promise
    await looping.stop()

    // Others in this process have signals of their own.
    const [[signal, listeners] = []] = [
      ...Map.groupBy(added.mock.calls, (call) => call.this as AbortSignal),
    ].filter(([, calls]) => calls.length >= PAUSES)
    assert(signal)
    const gone = removed.mock.calls.filter((call) => call.this === signal)
    assert.equal(gone.length, listeners?.length)
  })
})

function start(t: TestContext, options: Omit<Parameters<typeof loop>[1], 'name'>) {
  const looping = loop({ log }, { name: 'test', ...options })
  t.after(() => looping.stop())
  return looping
}
