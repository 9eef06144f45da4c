/** What the check is worth: done naively, events are lost, invented or changed, and it says so. */
import assert from 'node:assert/strict'
import { describe, type TestContext, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../jobs-child.ts'
import { lastFirst } from '../processor/world.ts'
import type { Way } from './producer-child.ts'
import { openScene } from './scene.ts'
import { judge, type Receipt } from './verdict.ts'

const KILLS = 2
const FACTS_BETWEEN_KILLS = 40

describe('the same producers and kills', () => {
  test('with event and fact in one transaction: nothing is lost, nothing invented', async (t) => {
    const { lost, invented, events } = await produce(t, 'together')

    assert.deepEqual([lost, invented], [[], []])
    assert(events > 0)
  })

  test('with the event in a transaction after that of the fact: events are lost, and that is seen', async (t) => {
    const { lost } = await produce(t, 'event after the fact')

    assert(lost.length > 0)
  })

  test('with the event in a transaction before that of the fact: events are invented, and that is seen', async (t) => {
    const { invented } = await produce(t, 'event before the fact')

    assert(invented.length > 0)
  })

  test('and a deliverer that removes what it is about to send: events are lost, and that is seen', async (t) => {
    const { lost, invented, forged } = await produce(t, 'together', true)

    assert(lost.length > 0)
    assert.deepEqual([invented, forged], [[], []])
  })
})

/** Producers that do it in this way are killed; then all that is left is told. */
async function produce(t: TestContext, way: Way, isNaivelyDelivered = false) {
  const scope = lastFirst(t)
  const scene = await openScene(scope, { manners: ['healthy'], seed: way })
  scope.after(() => scene.market.stop())
  const agent = await scene.register(scene.hosts[0]!)
  const naive = isNaivelyDelivered ? await scene.startNaiveDeliverer() : undefined
  const producers = await scene.startProducers({ size: 1, to: [agent], perSecond: 400, way })
  for (let kills = 1; kills <= KILLS; kills += 1) {
    await eventually('enough has happened', 20_000, async () => {
      const { size } = await scene.committed([agent])
      return size >= kills * FACTS_BETWEEN_KILLS ? true : undefined
    })
    await producers.kill(0)
  }
  await producers.stop()
  await naive?.stop()
  await scene.market.deliver()
  return judge({
    committed: await scene.committed([agent]),
    receipts: agent.host.receipts,
    secrets: new Map([[agent.id, agent.secret]]),
  })
}

describe('the check', () => {
  const agentId = 'agent_1'
  const secret = `whsec_${Buffer.alloc(32, 1).toString('base64')}`
  const committed = new Set(['agent_1 fact a', 'agent_1 fact b'])
  const verdictOn = (...receipts: Receipt[]) =>
    judge({ committed, receipts, secrets: new Map([[agentId, secret]]) })

  function receipt(fact: string, changes: Partial<Receipt> = {}, id = `evt_${fact}`): Receipt {
    const body = {
      id,
      type: 'task.completed',
      created_at: new Date(0).toISOString(),
      data: { fact },
    }
    const text = JSON.stringify(body)
    const at = new Date()
    const headers = {
      'webhook-id': id,
      'webhook-timestamp': String(Math.floor(at.getTime() / 1000)),
      'webhook-signature': new Webhook(secret).sign(id, at, text),
    }
    return { path: '/', headers, text, body, at, agentId, isRefused: false, ...changes }
  }

  test('finds nothing where each was received, one of them twice', () => {
    assert.deepEqual(verdictOn(receipt('a'), receipt('b'), receipt('b')), {
      lost: [],
      invented: [],
      forged: [],
      altered: [],
      events: 2,
      repeated: 1,
    })
  })

  test('finds the one that was only ever answered with an error', () => {
    const { lost } = verdictOn(receipt('a'), receipt('b', { isRefused: true }))

    assert.deepEqual(lost, ['agent_1 fact b'])
  })

  test('finds the one that came under two ids', () => {
    const { altered } = verdictOn(receipt('a'), receipt('a', {}, 'evt_other'), receipt('b'))

    assert.deepEqual(altered, ['agent_1 fact a'])
  })

  test('finds the one whose body changed by a blank, and that its signature is of another', () => {
    const { text } = receipt('a')
    const { altered, forged } = verdictOn(
      receipt('a'),
      receipt('a', { text: `${text} ` }),
      receipt('b'),
    )

    assert.deepEqual(altered, ['agent_1 fact a'])
    assert.deepEqual(forged, ['agent_1 fact a'])
  })

  test('finds the one that was signed with another secret', () => {
    const other = new Webhook(Buffer.alloc(32, 2).toString('base64'))
    const { headers, text, at } = receipt('a')
    const signature = other.sign('evt_a', at, text)
    const { forged } = verdictOn(
      receipt('a', { headers: { ...headers, 'webhook-signature': signature } }),
      receipt('b'),
    )

    assert.deepEqual(forged, ['agent_1 fact a'])
  })
})
