/**
 * Rolling restarts of two API processes behind HAProxy, under load. `npm run test:rolling` runs 20 of them or
 * ROLLING_RESTARTS; `npm test` runs one.
 */
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { beginUpload } from '../files/uploads.ts'
import { record } from '../figures.ts'
import { marketplace } from '../harness.ts'
import { eventually } from '../jobs-child.ts'
import { type Load, startLoad } from './load.ts'
import { openPair, type Pair, START_MAX_MS } from './pair.ts'

const RESTARTS = Number(process.env.ROLLING_RESTARTS ?? 1)

const market = await marketplace({ clock: 'real' })

describe('a rolling restart of two API processes behind HAProxy', () => {
  let pair: Pair
  let load: Load

  before(
    async () => {
      pair = await openPair({
        DATABASE_URL: market.url,
        WORKER_TOKEN_KEYS: market.server.config.WORKER_TOKEN_KEYS!,
      })
      await pair.startBoth()
      const agent = await market.agent({ freeTasks: false, balanceCents: 5_000_000 })
      const idle = await market.agent()
      load = startLoad({
        base: pair.base,
        apiKey: agent.api_key,
        idleKey: idle.api_key,
        async beginUpload(bytes) {
          const { id, workers } = await market.taskIn(agent, 'in_progress')
          const uploadId = await beginUpload(workers[0]!, id, { bytes })
          return { id: uploadId, token: workers[0]!.token }
        },
      })
      await untilEveryKind(load)
    },
    { timeout: 2 * START_MAX_MS },
  )

  after(async () => {
    await load?.stop()
    await pair?.close()
  })

  for (let round = 1; round <= RESTARTS; round += 1)
    test(`fails no request (${round} of ${RESTARTS})`, { timeout: 3 * START_MAX_MS }, async () => {
      await pair.roll()

      assert.deepEqual(load.failures, [])
    })

  test('leaves every created task exactly once, and no other', async () => {
    await load.stop()

    const rows = await market.asOwner(
      `select description from tasks where description like 'Rolling %'`,
    )

    const kept = rows.map(({ description }) => description as string)
    record('rolling', [
      { figure: 'rolling restarts', value: RESTARTS },
      { figure: 'responses', value: Object.values(load.counts).reduce((sum, one) => sum + one, 0) },
      { figure: 'failed requests', value: load.failures.length, max: 0 },
    ])
    console.log(`responses during ${RESTARTS} rolling restarts: ${JSON.stringify(load.counts)}`)
    assert.deepEqual(kept.sort(), [...load.created].sort())
    assert(kept.length > 0)
  })

  test('control: fails requests if the listener closes at once', async () => {
    assert.equal(await pair.stop(0), 0)
    await pair.start(0, { DRAIN_SECONDS: '0' })
    const agent = await market.agent({ freeTasks: false, balanceCents: 5_000_000 })
    const closing = startLoad({
      base: pair.base,
      apiKey: agent.api_key,
      idleKey: agent.api_key,
      async beginUpload(bytes) {
        const { id, workers } = await market.taskIn(agent, 'in_progress')
        const uploadId = await beginUpload(workers[0]!, id, { bytes })
        return { id: uploadId, token: workers[0]!.token }
      },
    })
    await untilEveryKind(closing)

    assert.equal(await pair.stop(0), 0)
    const failures = await eventually('a request fails', 20_000, async () =>
      closing.failures.length > 0 ? closing.failures : undefined,
    )
    await closing.stop()

    console.log(`without a drain, one stop failed ${failures.length} requests`)
  })
})

async function untilEveryKind({ counts }: Load): Promise<void> {
  await eventually('every quick kind of client was answered', 60_000, async () =>
    ['read', 'create', 'create once'].every((kind) => (counts[kind] ?? 0) > 3) ? true : undefined,
  )
}
