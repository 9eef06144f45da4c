import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { marketplace } from '../../test/harness.ts'
import { type CrowdWorker, crowdOf, levelFor } from './crowd.ts'

const BERLIN = { lat: 52.52, lng: 13.405 }
const PARIS = { lat: 48.857, lng: 2.352 }

const worker = (fields: Partial<CrowdWorker> = {}): CrowdWorker => ({
  level: 1,
  skills: [],
  languages: [],
  at: undefined,
  ...fields,
})
const many = (count: number, fields: Partial<CrowdWorker> = {}) =>
  Array.from({ length: count }, () => worker(fields))
const asks = { level: 1, skills: [], languages: [], place: undefined, workers: 1 }

describe('levelFor', () => {
  test('is the highest level up to the usual one that enough workers have, else 1', () => {
    const crowd = crowdOf([...many(50, { level: 2 }), ...many(49, { level: 4 }), ...many(10)])

    assert.deepEqual(
      [1, 2, 3, 4].map((usual) => levelFor(usual, crowd, 50)),
      [1, 2, 2, 2],
    )
    assert.equal(levelFor(4, crowd, 49), 4)
    assert.equal(levelFor(4, crowd, 0), 4)
    assert.equal(levelFor(4, crowdOf([]), 50), 1)
  })

  test('counts workers of higher levels, too', () => {
    assert.equal(levelFor(3, crowdOf(many(50, { level: 5 })), 50), 3)
  })
})

describe('tooFewFor', () => {
  test('rounds numbers to fives, and is empty if there are enough', () => {
    const crowd = crowdOf(many(7, { skills: ['german'] }))

    assert.equal(crowd.tooFewFor({ ...asks, skills: ['german'] }), undefined)
    assert.equal(crowd.tooFewFor({ ...asks, skills: ['german'], workers: 8 }), 5)
    assert.equal(crowd.tooFewFor({ ...asks, skills: ['dutch'] }), 0)
    assert.equal(
      crowdOf(many(4, { skills: ['dutch'] })).tooFewFor({ ...asks, skills: ['dutch'] }),
      0,
    )
  })

  test('requires level, skills and languages of the same worker', () => {
    const crowd = crowdOf([
      ...many(9, { level: 3, languages: ['de'] }),
      ...many(9, { skills: ['plumbing'] }),
    ])

    assert.equal(crowd.tooFewFor({ ...asks, level: 3, languages: ['de'] }), undefined)
    assert.equal(crowd.tooFewFor({ ...asks, level: 4 }), 0)
    assert.equal(crowd.tooFewFor({ ...asks, skills: ['plumbing'], languages: ['de'] }), 0)
  })

  test('requires workers near the place; one without a place could be anywhere', () => {
    const near = many(5, { at: { ...BERLIN, radiusKm: 10 } })

    assert.equal(crowdOf(near).tooFewFor({ ...asks, place: BERLIN }), undefined)
    assert.equal(crowdOf(near).tooFewFor({ ...asks, place: { lat: 52.7, lng: 13.405 } }), 0)
    assert.equal(crowdOf(near).tooFewFor({ ...asks, place: PARIS }), 0)
    assert.equal(crowdOf(many(5)).tooFewFor({ ...asks, place: PARIS }), undefined)
  })

  test('extrapolates from a sample of the workers', () => {
    assert.equal(crowdOf(many(1), 0.1).tooFewFor({ ...asks, level: 1 }), undefined)
    assert.equal(crowdOf(many(5, { level: 4 }), 0.1).ofLevel(4), 50)
  })
})

describe('a marketplace with few workers', async () => {
  const market = await marketplace({
    settings: { LEVEL_WORKERS_MIN: 3, ELIGIBLE_WARNING: 'on' },
  })

  test('a high budget requires no level that too few have; feed and acceptance agree', async () => {
    const agent = await market.agent({ balanceCents: 1_000_000 })
    const newcomer = await market.worker()
    for (let made = 0; made < 3; made += 1) await market.worker({ approvals: 5 })

    const { body } = await agent.post('/tasks', { description: 'Look', budget_cents: 60_000 })
    const explicit = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 60_000,
      min_worker_level: 4,
    })
    const helper = await market.worker({ approvals: 5 })
    const refused = await newcomer.post(`/worker/tasks/${body.task.id}/accept`)
    const accepted = await helper.post(`/worker/tasks/${body.task.id}/accept`)
    const tooLow = await helper.post(`/worker/tasks/${explicit.body.task.id}/accept`)

    assert.deepEqual([refused.status, refused.body.required_level], [403, 2])
    assert.equal(accepted.status, 200, accepted.text)
    assert.deepEqual([tooLow.status, tooLow.body.required_level], [403, 4])
  })

  test('a task that nobody can accept is created with a warning, also when replayed', async () => {
    const agent = await market.agent({ balanceCents: 100_000 })
    const task = { description: 'Look', budget_cents: 2500, skills: ['falconry'] }
    const keyed = { 'idempotency-key': 'nobody-there' }

    const first = await agent.post('/tasks', task, keyed)
    const again = await agent.post('/tasks', task, keyed)
    const plain = await agent.post('/tasks', { description: 'Look', budget_cents: 2500 })
    const far = await agent.post('/verify', { question: 'Is it open?', location: 'Tromso' })

    assert.equal(first.status, 201)
    assert.deepEqual(first.body.warnings, [
      {
        code: 'no_eligible_workers',
        path: 'skills',
        message: first.body.warnings[0]!.message,
        eligible_workers: 0,
      },
    ])
    assert.match(first.body.warnings[0]!.message, /^Fewer than 5 workers .*falconry/)
    assert.equal(again.text, first.text)
    assert.equal(plain.body.warnings, undefined)
    assert.equal(far.status, 201)
  })

  test('a test task has no such warning, because scripts do it', async () => {
    const { test: agent } = await market.agent()

    const { status, body } = await agent.post('/tasks', {
      description: 'Look',
      budget_cents: 60_000,
      skills: ['falconry'],
    })

    assert.equal(status, 201)
    assert.equal(body.warnings, undefined)
  })
})
