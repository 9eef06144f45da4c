import assert from 'node:assert/strict'
import { test, type TestContext } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { z } from 'zod'
import { marketplace } from '../../test/harness.ts'
import { eventually } from '../../test/jobs-child.ts'
import { steppedClock } from '../../test/stepped-clock.ts'
import type { ClockDoubt } from '../kit/clock.ts'
import { job } from '../kit/job.ts'
import { startSchedules } from './schedules.ts'

const market = await marketplace()
const MINUTE = 60_000
const DAY = 86_400_000
const DOUBT: ClockDoubt = { reason: 'wall_clock', differenceMs: 3 * DAY, message: 'off' }
/** Longer than the polling interval. */
const LOOKS_MS = 2500

/** A job due every five minutes, in two processes that share a clock; it is 12:01. */
async function scheduled(t: TestContext, name: string) {
  const clock = steppedClock(new Date('2026-05-01T12:01:00Z'))
  const state: { doubt?: ClockDoubt | undefined } = {}
  const background = { ...market.background, clock: { ...clock, doubt: () => state.doubt } }
  const jobs = [
    job({
      name,
      payload: z.unknown(),
      attemptsMax: 1,
      schedule: '*/5 * * * *',
      async run() {},
    }),
  ]
  const processes = await Promise.all([1, 2].map(() => startSchedules(background, jobs)))
  t.after(() => Promise.all(processes.map((one) => one.stop())))
  const count = async () => {
    const [row] = await market.asOwner(
      'select count(*)::integer from graphile_worker.jobs where task_identifier = $1',
      [name],
    )
    return row!['count'] as number
  }
  return {
    clock,
    state,
    count,
    until: (expected: number) =>
      eventually(`${expected} jobs`, 15_000, async () =>
        (await count()) === expected ? true : undefined,
      ),
  }
}

test('a scheduled job is added once at its minute, by whichever process is first', async (t) => {
  const { clock, count, until } = await scheduled(t, 'test.once')

  clock.advance(3 * MINUTE)
  await sleep(LOOKS_MS)
  const early = await count()
  clock.advance(MINUTE)
  await until(1)
  await sleep(LOOKS_MS)

  assert.equal(early, 0)
  assert.equal(await count(), 1)
})

test('nothing is added while the clock is in doubt; afterwards a missed job is added once', async (t) => {
  const { clock, state, count, until } = await scheduled(t, 'test.doubt')

  state.doubt = DOUBT
  clock.advance(30 * MINUTE)
  await sleep(LOOKS_MS)
  const doubted = await count()
  state.doubt = undefined
  await until(1)

  assert.equal(doubted, 0)
})

test('an execution that a wrong clock recorded days ahead does not stop the schedule', async (t) => {
  const { clock, until } = await scheduled(t, 'test.ahead')
  await market.asOwner(
    'update graphile_worker._private_known_crontabs set last_execution = $1 where identifier = $2',
    [new Date(clock.now().getTime() + 3 * DAY), 'test.ahead'],
  )

  clock.advance(5 * MINUTE)

  await until(1)
})
