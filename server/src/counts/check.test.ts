import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { auditNow } from '../ledger/audit.ts'
import { openBreaks } from '../ledger/audit-state.ts'
import { COUNTED } from '../ledger/invariants.ts'
import { checkCounts } from './check.ts'
import { FIGURES } from './figures.ts'
import { foldCounts } from './fold.ts'

const market = await marketplace()
const fold = () => market.runJob(foldCounts)
const check = () => market.runJob(checkCounts)
const isCounted = async (agentId: string) =>
  (await market.asOwner('select 1 from counted_agents where agent_id = $1', [agentId])).length > 0
const brokenAgents = async () =>
  (await openBreaks(market.db.reader))
    .filter(({ invariant }) => invariant === COUNTED)
    .map(({ subject }) => subject)

async function countedAgent() {
  const agent = await market.agent({ balanceCents: 20_000 })
  await market.taskIn(agent, 'completed')
  await market.taskIn(agent, 'disputed')
  await fold()
  assert(await isCounted(agent.id))
  return agent
}

describe('counts.check', () => {
  test('finds nothing wrong in right counts, and says when it checked them', async () => {
    const agent = await countedAgent()
    await market.taskIn(agent, 'pending')
    market.advance(60_000)

    await check()

    const [row] = await market.asOwner(
      'select checked_at from counted_agents where agent_id = $1',
      [agent.id],
    )
    assert.deepEqual(row!.checked_at, market.now())
    assert.deepEqual(await brokenAgents(), [])
  })

  test('checks those first that were checked longest ago', async () => {
    const [first, second] = [await countedAgent(), await countedAgent()]
    await market.asOwner(
      `update counted_agents set checked_at = '2000-01-01' where agent_id = $1`,
      [second.id],
    )

    const [row] = await market.asOwner(
      `select agent_id from counted_agents order by checked_at limit 1`,
    )
    await check()

    assert.equal(row!.agent_id, second.id)
    assert(await isCounted(first.id))
  })

  for (const figure of FIGURES)
    test(`reports a wrong count of ${figure}, and has the agent counted anew`, async () => {
      const agent = await countedAgent()
      const right = (await agent.get('/stats')).body
      const counts = `${market.at(agent.id).schema.name}.agent_counts`
      await market.asOwner(
        `update ${counts} set ${figure} = ${figure} + 1 where ctid = (
           select ctid from ${counts} where agent_id = $1
            order by (worker_id is not null) = $2 desc limit 1)`,
        [agent.id, figure === 'approved'],
      )

      await check()
      const found = await brokenAgents()
      const afterCheck = (await agent.get('/stats')).body
      const wasDropped = !(await isCounted(agent.id))
      await check()

      assert.deepEqual(found, [agent.id])
      assert.deepEqual(afterCheck, right)
      assert(wasDropped)
      assert(await isCounted(agent.id))
      assert.deepEqual(await brokenAgents(), [])
      assert.deepEqual((await agent.get('/stats')).body, right)
    })

  test('the audit of the ledger leaves its breaks to it', async () => {
    const agent = await countedAgent()
    await market.asOwner('update agent_counts set tasks = tasks + 1 where agent_id = $1', [
      agent.id,
    ])
    await check()

    await auditNow(market.background, { isWhole: true, isGentle: false })
    const afterAudit = await brokenAgents()
    await check()

    assert.deepEqual(afterAudit, [agent.id])
    assert.deepEqual(await brokenAgents(), [])
  })

  test('counts an agent that had tasks before counts existed, and none since', async () => {
    const agent = await market.agent({ balanceCents: 20_000 })
    await market.taskIn(agent, 'completed')
    await market.asOwner('delete from agent_count_changes where agent_id = $1', [agent.id])
    await fold()
    assert(!(await isCounted(agent.id)))

    await check()

    assert(await isCounted(agent.id))
    assert.equal((await agent.get('/tasks')).body.total, 1)
  })
})
