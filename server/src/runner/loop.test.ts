import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { openLog } from '../kit/log.ts'
import { loop } from './loop.ts'

const log = openLog('silent')
const LONG_MS = 60_000
const PAUSES = 20

describe('a loop', () => {
  test('repeats its step at once while there is more, then pauses', async (t) => {
    let steps = 0
    const idle = Promise.withResolvers<void>()
    const hundred = async () => {
      steps += 1
      if (steps < 100) return 'more' as const
      idle.resolve()
      return 'idle' as const
    }

    start(t, { intervalMs: LONG_MS, step: hundred })
    await idle.promise
    await sleep(50)

    assert.equal(steps, 100)
  })

  test('runs again after its interval', async (t) => {
    const at = await timesOf(t, 4, { intervalMs: 40, step: async () => 'idle' })

    assert(at.slice(1).every((time, i) => time - at[i]! > 35))
  })

  test('pauses longer while there is nothing to do, up to a limit, and briefly again after work', async (t) => {
    let steps = 0
    const workOnce = async () => {
      steps += 1
      return steps === 6 ? ('done' as const) : ('idle' as const)
    }

    const at = await timesOf(t, 7, { intervalMs: 50, idleMaxMs: 400, step: workOnce })

    const waits = at.slice(1).map((time, i) => time - at[i]!)
    assert([45, 95, 195, 395, 395].every((least, i) => waits[i]! > least))
    assert(waits[4]! < 800)
    assert(waits[5]! < 350)
  })

  test('continues after an error, with backoff up to a limit', async (t) => {
    const fail = async (): Promise<'idle'> => {
      throw new Error('no database')
    }

    const at = await timesOf(t, 6, { intervalMs: 10, backOffMaxMs: 500, step: fail })

    // Without the maximum, the fifth wait alone would be 6.4 seconds.
    const waits = at.slice(1).map((time, i) => time - at[i]!)
    assert(waits[0]! > 380)
    assert(waits.slice(1).every((wait) => wait > 480))
    assert(waits.at(-1)! < 6400)
  })

  test('reports each error, with the number of consecutive ones', async (t) => {
    const lines: string[] = []
    let steps = 0
    const background = { log: openLog('error', { write: (line) => void lines.push(line) }) }
    const wentOn = Promise.withResolvers<void>()
    const twoFailures = async () => {
      steps += 1
      if (steps <= 2) throw new Error('no database')
      if (steps > 3) wentOn.resolve()
      return 'idle' as const
    }

    const looping = loop(background, {
      name: 'test',
      intervalMs: 1,
      backOffMaxMs: 1,
      step: twoFailures,
    })
    t.after(() => looping.stop())
    await wentOn.promise

    const failures = lines.map((line) => JSON.parse(line) as { loop: string; failures: number })
    assert.deepEqual(
      failures.map((failure) => [failure.loop, failure.failures]),
      [
        ['test', 1],
        ['test', 2],
      ],
    )
  })

  test('stops after the running step, and starts no other', async (t) => {
    let begun = 0
    let done = 0
    const underWay = Promise.withResolvers<void>()
    const finish = Promise.withResolvers<void>()
    const slow = async () => {
      begun += 1
      underWay.resolve()
      await finish.promise
      done += 1
      return 'more' as const
    }
    const looping = start(t, { intervalMs: 1, step: slow })
    await underWay.promise

    const stopped = looping.stop()
    finish.resolve()
    await stopped

    assert.deepEqual([begun, done], [1, 1])
  })

  test('stops at once during a pause', async (t) => {
    const looping = start(t, { intervalMs: LONG_MS, step: async () => 'idle' })
    await sleep(20)

    const before = performance.now()
    await looping.stop()

    assert(performance.now() - before < LONG_MS / 2)
  })

  test('leaves no listener on its signal after a pause', async (t) => {
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

    // Other code in this process uses other signals.
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

/** The start times of the first `count` steps of a loop. */
async function timesOf(
  t: TestContext,
  count: number,
  { step, ...options }: Omit<Parameters<typeof loop>[1], 'name'>,
): Promise<number[]> {
  const at: number[] = []
  const enough = Promise.withResolvers<void>()
  start(t, {
    ...options,
    step: () => {
      at.push(performance.now())
      if (at.length === count) enough.resolve()
      return step()
    },
  })
  await enough.promise
  return at
}
