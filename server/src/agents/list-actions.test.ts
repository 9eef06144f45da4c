import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { marketplace } from '../../test/harness.ts'
import { newEmail } from '../../test/people.ts'
import { member } from '../../test/team.ts'
import { endpoint } from '../kit/endpoint.ts'

const fails = endpoint({
  method: 'POST',
  path: '/planted/fails',
  name: 'plantedFailure',
  auth: 'agent',
  scope: 'any',
  summary: 'Fails',
  success: { status: 200, body: z.object({}) },
  errors: [],
  handler: () => Promise.reject(new Error('a defect')),
})

const market = await marketplace({ moreEndpoints: [fails], settings: { LOG_LEVEL: 'silent' } })
const TASK = { description: 'Look', budget_cents: 500 }

interface Action {
  id: string
  person: { id: string; name: string }
  operation: string
  object_id: string
  outcome: string
}

const told = (actions: Action[]) =>
  actions.map(({ person, operation, object_id, outcome }) => [
    person.name,
    operation,
    object_id,
    outcome,
  ])

describe('GET /console/actions', () => {
  test('200: who changed what, newest first; reads and refused calls are not in it, nor what keys do', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const owner = await member(market, agent, 'owner', { name: 'Ada' })
    const reviewer = await member(market, agent, 'reviewer', { name: 'Bo' })
    await agent.post('/tasks', TASK)
    const { body: made } = await owner.post('/tasks', TASK)
    const { id } = await market.taskIn(agent, 'proof_submitted')
    await reviewer.post(`/tasks/${id}/approve`)
    await reviewer.post(`/tasks/${id}/approve`, { tip_cents: -1 })
    await reviewer.post('/tasks', TASK)
    await reviewer.get('/tasks')
    const { body: invited } = await owner.post('/console/people', {
      name: 'Cy',
      email: newEmail(),
      role: 'finance',
    })

    const { status, body, text } = await reviewer.get('/console/actions')

    assert.equal(status, 200, text)
    assert.deepEqual(told(body.actions), [
      ['Ada', 'invitePerson', invited.person.id, 'done'],
      ['Bo', 'approveTask', id, 'done'],
      ['Ada', 'createTask', made.task.id, 'done'],
    ])
  })

  test('a repeated call is in it once; one that failed is there, with an unknown outcome', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const owner = await member(market, agent, 'owner', { name: 'Ada' })
    const headers = { 'idempotency-key': 'order-1' }
    const first = await owner.post('/tasks', TASK, headers)
    const again = await owner.post('/tasks', TASK, headers)
    const failed = await owner.post('/planted/fails', {})

    const { body } = await owner.get('/console/actions')

    assert.deepEqual([first.status, again.status, failed.status], [201, 201, 500])
    assert.deepEqual(told(body.actions), [
      ['Ada', 'plantedFailure', null, 'unknown'],
      ['Ada', 'createTask', first.body.task.id, 'done'],
    ])
  })

  test('each mode has its own; those of another agent are never in it', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const owner = await member(market, agent, 'owner')
    const foreign = await member(market, await market.agent({ balanceCents: 10_000 }), 'owner')
    await foreign.post('/tasks', TASK)
    await owner.patch('/console/session', { mode: 'test' })
    const { body: played } = await owner.post('/tasks', TASK)

    const test = await owner.get('/console/actions')
    await owner.patch('/console/session', { mode: 'live' })
    const live = await owner.get('/console/actions')

    assert.deepEqual(
      test.body.actions.map(({ object_id }: Action) => object_id),
      [played.task.id],
    )
    assert.deepEqual(live.body.actions, [])
  })

  test('pages go back in time; people who left keep their name', async () => {
    const agent = await market.agent({ balanceCents: 10_000 })
    const owner = await member(market, agent, 'owner')
    const gone = await member(market, agent, 'developer', { name: 'Bo' })
    for (let i = 0; i < 3; i += 1) await gone.post('/tasks', TASK)
    await owner.delete(`/console/people/${gone.id}`)

    const { body: one } = await owner.get('/console/actions?limit=2')
    const { body: two } = await owner.get(`/console/actions?limit=2&before=${one.next_before}`)

    assert.deepEqual(
      [...one.actions, ...two.actions].map(({ operation }: Action) => operation),
      ['removePerson', 'createTask', 'createTask', 'createTask'],
    )
    assert.equal(two.next_before, null)
    assert.equal(two.actions[0].person.name, 'Bo')
  })
})
