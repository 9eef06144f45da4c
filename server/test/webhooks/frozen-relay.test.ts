import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { recordEvents } from '../../src/webhooks/record-event.ts'
import { takeEvents } from '../../src/webhooks/take-events.ts'
import { marketplace } from '../harness.ts'

const FROZEN_MS = 4000
const market = await marketplace()

test('a relay that stalls in its transaction delays the others by at most two seconds', async (t) => {
  const { id } = await market.agent()
  const record = () =>
    market.db.transaction((tx) =>
      recordEvents(tx, [{ type: 'task.expired', agentId: id, data: {}, now: market.now() }]),
    )
  await record()
  const taken = Promise.withResolvers<void>()
  const thawed = Promise.withResolvers<void>()
  const frozen = market.db.transaction(async (tx) => {
    await takeEvents(tx, 10, { now: market.now() })
    taken.resolve()
    await Promise.race([thawed.promise, sleep(FROZEN_MS)])
  })
  const refused = assert.rejects(frozen)
  await taken.promise
  await record()

  const before = performance.now()
  const told = []
  while (told.length < 2) told.push(...(await market.events()))
  const ms = performance.now() - before

  t.diagnostic(`the other relay goes on after ${ms.toFixed(0)} ms`)
  thawed.resolve()
  await refused
  assert(ms < FROZEN_MS - 500)
})
