/**
 * Proves that the check works: with naive implementations events are lost, invented or changed, and it reports that.
 */
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { eventually } from '../jobs-child.ts'
import { lastFirst } from '../processor/world.ts'
import type { Way } from './producer-child.ts'
import type { Fleet } from './fleet.ts'
import { type Host, openScene, type Scene } from './scene.ts'
import { judge, type Receipt } from './verdict.ts'

const KILLS = 2
const FACTS_BETWEEN_KILLS = 15

test('control: only processes that write fact and event together survive kills without loss or invention', async (t) => {
  const scope = lastFirst(t)
  const scene = await openScene(scope, { manners: ['healthy', 'healthy', 'healthy'], seed: 'ways' })
  const verdicts = await Promise.all([
    produce(scene, scene.hosts[0]!, 'together'),
    produce(scene, scene.hosts[1]!, 'event after the fact'),
    produce(scene, scene.hosts[2]!, 'event before the fact'),
  ])
  await scene.market.deliver()
  const [together, after, before] = await Promise.all(verdicts.map((verdict) => verdict()))

  assert.deepEqual([together!.lost, together!.invented], [[], []])
  assert(together!.events > 0)
  assert(after!.lost.length > 0)
  assert(before!.invented.length > 0)
})

test('control: a deliverer that deletes before sending loses events, and this is detected', async (t) => {
  const scope = lastFirst(t)
  const scene = await openScene(scope, { manners: ['healthy'], seed: 'naive' })
  const naive = await scene.startNaiveDeliverer()
  const verdict = await produce(scene, scene.hosts[0]!, 'together')
  await hasDied(naive)
  await naive.stop()
  await scene.market.deliver()

  const { lost, invented, forged } = await verdict()

  assert(lost.length > 0)
  assert.deepEqual([invented, forged], [[], []])
})

/** Runs a producer of this kind until it has died. The verdict can be requested later. */
async function produce(scene: Scene, host: Host, way: Way) {
  const agent = await scene.register(host)
  const producers = await scene.startProducers({ size: 1, to: [agent], perSecond: 400, way })
  if (way === 'together') await killAmidst(producers, () => scene.committed([agent]))
  else await hasDied(producers)
  await producers.stop()
  return async () =>
    judge({
      committed: await scene.committed([agent]),
      receipts: host.receipts,
      secrets: new Map([[agent.id, agent.secret]]),
    })
}

async function killAmidst(fleet: Fleet, committed: () => Promise<Set<string>>): Promise<void> {
  for (let facts = FACTS_BETWEEN_KILLS; fleet.killed < KILLS; facts += FACTS_BETWEEN_KILLS) {
    await eventually('enough has happened', 20_000, async () =>
      (await committed()).size >= facts ? true : undefined,
    )
    await fleet.kill(0)
  }
}

/** It dies on its own, at the worst moment. */
const hasDied = (fleet: Fleet) =>
  eventually('it has died', 20_000, async () => (fleet.unasked.length > 0 ? true : undefined))

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

  test('finds nothing if each was received, one of them twice', () => {
    assert.deepEqual(verdictOn(receipt('a'), receipt('b'), receipt('b')), {
      lost: [],
      invented: [],
      forged: [],
      altered: [],
      events: 2,
      repeated: 1,
    })
  })

  test('finds an event that only got error responses', () => {
    const { lost } = verdictOn(receipt('a'), receipt('b', { isRefused: true }))

    assert.deepEqual(lost, ['agent_1 fact b'])
  })

  test('finds an event that came under two ids', () => {
    const { altered } = verdictOn(receipt('a'), receipt('a', {}, 'evt_other'), receipt('b'))

    assert.deepEqual(altered, ['agent_1 fact a'])
  })

  test('finds a body that changed by a space, and its wrong signature', () => {
    const { text } = receipt('a')
    const { altered, forged } = verdictOn(
      receipt('a'),
      receipt('a', { text: `${text} ` }),
      receipt('b'),
    )

    assert.deepEqual(altered, ['agent_1 fact a'])
    assert.deepEqual(forged, ['agent_1 fact a'])
  })

  test('finds an event that was signed with another secret', () => {
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
