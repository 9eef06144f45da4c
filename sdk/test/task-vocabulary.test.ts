import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../server/test/harness.ts'
import { readTaskType, TASK_TYPES } from '../src/legwork.ts'

const market = await marketplace()

describe('the vocabulary of task types', () => {
  test('has exactly the types, short names and default budgets of the API', async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })

    for (const [type, { shortName, budgetCents }] of Object.entries(TASK_TYPES)) {
      const budget = type === 'custom' ? { budget_cents: budgetCents } : {}
      const path = type === 'custom' ? '/tasks' : `/${shortName}`
      const { status, body, text } = await agent.post(path, { description: 'Look', ...budget })
      assert.equal(status, 201, text)
      assert.deepEqual([body.task.type, body.task.budget_cents], [type, budgetCents])
      const quoted = await agent.get(`/quote?type=${type}`)
      assert.equal(quoted.body.budget_cents.usual, budgetCents)
    }
    const unknown = await agent.post('/tasks', { description: 'Look', budget_cents: 5, type: '?' })
    for (const type of Object.keys(TASK_TYPES)) assert(unknown.text.includes(type))
  })

  test('a request may use the short name wherever it names a type, and the response has the type', async () => {
    const agent = await market.agent({ balanceCents: 100_000, freeTasks: false })

    for (const [type, { shortName }] of Object.entries(TASK_TYPES)) {
      const made = await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 500,
        type: shortName,
      })
      assert.equal(made.body.task?.type, type, made.text)
      const listed = await agent.get(`/tasks?type=${shortName}`)
      assert.deepEqual(
        listed.body.tasks.map((task: { id: string }) => task.id),
        [made.body.task.id],
      )
      assert.equal((await agent.get(`/quote?type=${shortName}`)).body.type, type)
      assert.equal(readTaskType(shortName), type)
      assert.equal(readTaskType(type), type)
    }
    const { body } = await agent.post('/agents/keys', { name: 'model', types: ['field', 'call'] })
    assert.deepEqual(body.key.types, ['field_mission', 'voice_proxy'])
  })

  test('400 for a word that is no type, with the types', async () => {
    const agent = await market.agent({ balanceCents: 5000 })

    for (const type of ['Field', 'fields', 'constructor', '__proto__', 7]) {
      const { status, text } = await agent.post('/tasks', {
        description: 'Look',
        budget_cents: 500,
        type,
      })
      assert.equal(status, 400)
      assert.match(text, /field_mission/)
    }
    assert.equal((await agent.get('/quote')).status, 400)
    assert.equal(readTaskType('constructor'), undefined)
    assert.equal((await agent.get('/tasks')).body.total, 0)
  })
})
