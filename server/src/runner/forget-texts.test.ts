import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { sweepEverywhere } from '../../test/run-sweep.ts'
import { concedeAppeals } from '../disputes/concede-appeals.ts'
import { forgetTexts } from './forget-texts.ts'

const DAY = 86_400_000
const market = await marketplace()
const run = () => sweepEverywhere(market, forgetTexts)

describe('runner.forget-texts', () => {
  test('removes the texts of a task two years after its end; its money, state and shape stay', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    const worker = await market.worker({ approvals: 100 })
    const { body } = await agent.post('/tasks', {
      title: 'Call the shopkeeper',
      description: 'Call Zebulon at home',
      budget_cents: 1000,
      location: { address: 'Zebulon Street 1', lat: 52.5, lng: 13.4 },
      context: { phone: 'Zebulon 5550100' },
      metadata: { who: 'Zebulon' },
    })
    const { id } = body.task
    await worker.post(`/worker/tasks/${id}/accept`)
    await worker.post(`/worker/tasks/${id}/proof`, { text: 'Zebulon was in' })
    await agent.post(`/tasks/${id}/dispute`, { reason: 'Not Zebulon' })
    await worker.post(`/worker/tasks/${id}/appeal`, { statement: 'It was Zebulon' })
    const task = async () => (await agent.get(`/tasks/${id}`)).body.task
    const inTables = () =>
      market.asOwner(`
        select 'tasks' as name from tasks t where t::text ~ 'Zebulon'
        union all select 'proofs' from proofs t where t::text ~ 'Zebulon'
        union all select 'disputes' from disputes t where t::text ~ 'Zebulon'
        union all select 'appeals' from appeals t where t::text ~ 'Zebulon'`)
    assert.equal((await inTables()).length, 4)

    // Nobody has ruled on the appeal: its texts are needed.
    market.advance(800 * DAY)
    await run()
    assert.equal((await inTables()).length, 4)
    // The agent hasn't replied, so the clock concedes.
    await sweepEverywhere(market, concedeAppeals)
    const before = await task()
    await run()

    assert.deepEqual(await inTables(), [])
    const after = await task()
    assert.deepEqual(Object.keys(after).sort(), Object.keys(before).sort())
    assert.match(after.description, /^Removed: the retention period/)
    assert.deepEqual(
      [after.status, after.budget_cents, after.transactions],
      [before.status, before.budget_cents, before.transactions],
    )
    assert.equal(after.proofs[0].text, null)
    assert.deepEqual(await market.audit(), [])
  })

  test('leaves a task alone whose end was less than two years ago, and one that is open', async () => {
    const agent = await market.agent({ balanceCents: 5000, freeTasks: false })
    await market.taskIn(agent, 'completed', { description: 'Ended' })
    const texts = () =>
      market.asOwner(
        `select description from tasks where agent_id = $1 and description not like 'Removed: %'`,
        [agent.id],
      )

    market.advance(729 * DAY)
    await market.taskIn(agent, 'pending', { description: 'Open' })
    await run()

    assert.equal((await texts()).length, 2)
    market.advance(2 * DAY)
    await run()
    assert.deepEqual(
      (await texts()).map(({ description }) => description),
      ['Open'],
    )
  })
})
