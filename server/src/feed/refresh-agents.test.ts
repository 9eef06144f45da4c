import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { type Json, marketplace } from '../../test/harness.ts'
import { jobs } from '../jobs.ts'
import { runIn } from '../kit/db.ts'
import { refreshSome } from './open-agents.ts'
import { refreshAgents } from './refresh-agents.ts'

const market = await marketplace()
const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })
const worker = await market.worker()

async function shownAgent(): Promise<Json> {
  const { body } = await worker.get('/worker/feed?sort=new&limit=1')
  return body.tasks[0].agent
}

const run = () => refreshAgents.run({ ...market.background, payload: {} })

describe('feed.refresh-agents', () => {
  test('a verdict is on the cards after the relay and a run', async () => {
    await market.taskIn(agent, 'pending')
    await market.events()
    await run()
    const before = await shownAgent()
    await market.taskIn(agent, 'completed')
    await market.taskIn(agent, 'pending')
    await market.events()

    await run()

    assert.deepEqual([before.verdicts, (await shownAgent()).verdicts], [0, 1])
  })

  test('a new name is on the cards after the relay', async () => {
    await market.taskIn(agent, 'pending')
    await market.events()

    await agent.patch('/agents/me', { name: 'Renamed' })
    await market.events()

    assert.equal((await shownAgent()).name, 'Renamed')
  })

  test('a verdict that comes while a run has read the others is read by the next run', async () => {
    await market.taskIn(agent, 'pending')
    await market.taskIn(agent, 'completed')
    await market.events()
    let relayed: Promise<unknown> | undefined

    const db = market.at(agent.id)
    await db.transaction((tx) =>
      runIn(db.shards.feed, { db, tx }, async (feed) => {
        assert.equal(await refreshSome({ tx, feed }, [agent.id]), 1)
        await market.taskIn(agent, 'completed')
        relayed = market.events()
        await new Promise((resolve) => setTimeout(resolve, 200))
      }),
    )
    await relayed
    const { verdicts } = await shownAgent()
    await run()

    assert.equal((await shownAgent()).verdicts, (verdicts as number) + 1)
  })

  test('runs every minute', () => {
    assert(jobs.includes(refreshAgents))
    assert.equal(refreshAgents.schedule, '* * * * *')
  })
})
