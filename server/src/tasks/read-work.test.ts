import assert from 'node:assert/strict'
import { test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { readWork } from './read-work.ts'

test('a column that a newer release adds does not break the prepared statement', async () => {
  const market = await marketplace()
  const agent = await market.agent({ balanceCents: 5000 })
  const { id } = await market.taskIn(agent, 'proof_submitted')
  const db = market.at(id)
  const own = { taskId: id, agentId: agent.id }
  const whole = () => db.call('whole_rows', 'select * from tasks where id = $1', [id])
  const before = await readWork(db, own)
  await whole()

  for (const table of ['tasks', 'assignments'])
    await market.asOwner(`alter table ${db.schema.name}.${table} add column of_next_release text`)
  const after = await readWork(db, own)

  assert.deepEqual(after?.task, before?.task)
  assert.equal(after?.assignments.length, 1)
  await assert.rejects(whole(), /cached plan must not change result type/, 'control: whole rows')
})
