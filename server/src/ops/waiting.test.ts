import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { ops } from '../../test/ops.ts'
import { showOpsGauges } from './gauges.ts'

const market = await marketplace()
const HOUR = 3_600_000

async function lateOf(what: string): Promise<number | undefined> {
  await showOpsGauges(market.background)
  const { values } = await market.server.metrics.waitingLate.get()
  return values.find(({ labels }) => labels.what === what)?.value
}

describe('ops waiting', () => {
  test('says that nothing is pending', async () => {
    assert.deepEqual(await ops(market, 'waiting'), {
      out: 'Nothing is waiting for a person.',
      isBad: false,
    })
  })

  test('lists an answered appeal with its next command, and raises an alarm after two days', async () => {
    const agent = await market.agent({ balanceCents: 2500, freeTasks: false })
    const { id, workers } = await market.taskIn(agent, 'disputed')
    await workers[0]!.post(`/worker/tasks/${id}/appeal`, { statement: 'I did it.' })
    await agent.post(`/tasks/${id}/dispute/answer`, { statement: 'No.' })
    await market.work()

    const early = await ops(market, 'waiting')
    const lateEarly = await lateOf('appeals to rule on')
    market.advance(48 * HOUR)
    const late = await ops(market, 'waiting')

    assert.equal(early.isBad, false)
    assert.match(early.out, /1 appeals to rule on.*\n {4}next: ops appeals/)
    assert.equal(lateEarly, 0)
    assert.equal(late.isBad, true)
    assert.match(late.out, /the oldest for 2 days; 1 for too long/)
    assert.equal(await lateOf('appeals to rule on'), 1)
    await ops(market, 'appeal', id, 'upheld', 'It is not there.')
    await market.work()
    assert.equal((await ops(market, 'waiting')).out, 'Nothing is waiting for a person.')
  })

  test('lists restricted agents without an alarm, and switched-off features with one', async () => {
    const agent = await market.agent()
    await ops(market, 'agent', 'restrict', agent.id, 'fraud')
    await market.work()
    const restricted = await ops(market, 'waiting')
    await ops(market, 'switch', 'free_tasks', 'off', 'too', 'expensive')
    market.advance(24 * HOUR)

    const { out, isBad } = await ops(market, 'waiting', '--json')

    assert.equal(restricted.isBad, false)
    assert.match(restricted.out, /1 restricted agents/)
    assert(isBad)
    const { waiting } = JSON.parse(out) as { waiting: { what: string; late: number }[] }
    assert.deepEqual(
      waiting.map(({ what, late }) => [what, late]),
      [
        ['restricted agents', 0],
        ['switches that are off', 1],
      ],
    )
  })
})
