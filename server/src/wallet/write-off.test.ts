import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { writeOffDebt } from './write-off.ts'

const market = await marketplace({ processor: true })

/** An agent that spent its deposit before its bank charged it back. */
async function debtor(cents: number) {
  const agent = await market.agent({ freeTasks: false })
  const depositId = await market.deposit(agent, cents)
  const task = await agent.post('/tasks', { description: 'Look', budget_cents: cents })
  assert.equal(task.status, 201)
  const worker = await market.worker()
  assert.equal((await worker.post(`/worker/tasks/${task.body.task.id}/accept`)).status, 200)
  const { charge_id } = await market.db.reader
    .selectFrom('deposits')
    .select('charge_id')
    .where('id', '=', depositId)
    .executeTakeFirstOrThrow()
  await market.sandbox.control('POST', `charges/${charge_id}/dispute`, {})
  await market.settle()
  assert.equal(await market.balance(agent.id), -cents)
  return agent
}

const writeOff = (agentId: string, amountCents: number) =>
  market
    .at(agentId)
    .transaction((tx) => writeOffDebt(tx, { agentId, amountCents, now: market.now() }))

describe('writing a debt off', () => {
  test('clears it for the agent and appears on its statement', async () => {
    const agent = await debtor(2000)

    const { owedCents } = await writeOff(agent.id, 1500)

    assert.equal(owedCents, 500)
    assert.equal(await market.balance(agent.id), -500)
    const { body } = await agent.get('/wallet')
    assert.equal(body.transactions[0].type, 'adjustment')
    assert.equal(body.transactions[0].amount_cents, 1500)
  })

  test('is refused above the debt', async () => {
    const agent = await debtor(1000)

    await assert.rejects(writeOff(agent.id, 1001), /owes less/)
    await assert.rejects(writeOff(agent.id, 0), /above 0/)

    assert.equal(await market.balance(agent.id), -1000)
  })

  test('twice concurrently does not go below zero', async () => {
    const agent = await debtor(1000)

    const outcomes = await Promise.allSettled([writeOff(agent.id, 1000), writeOff(agent.id, 1000)])

    assert.equal(outcomes.filter(({ status }) => status === 'fulfilled').length, 1)
    assert.equal(await market.balance(agent.id), 0)
  })
})
