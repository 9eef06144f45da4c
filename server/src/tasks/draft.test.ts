import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { ApiError } from '../kit/errors.ts'
import { COMMISSION_BASIS_POINTS, commissionCents, splitCents } from '../kit/money.ts'
import { draftTask, workerPayCents } from './draft.ts'
import { TaskInput } from './fields.ts'

const HOUR = 3_600_000
const now = new Date('2026-01-31T12:00:00.000Z')
const agent = { id: 'agent_1', mode: 'live' as const, keyId: 'key_1' }
const draft = (fields: Partial<TaskInput> = {}) =>
  draftTask({ description: 'Look', budget_cents: 1000, ...fields }, { agent, now, warn: () => {} })
const at = (ms: number) => new Date(now.getTime() + ms)
const refusal = (message: string) => (error: unknown) =>
  error instanceof ApiError && error.status === 400 && error.message === message

describe('draftTask', () => {
  test('sets every default', () => {
    assert.deepEqual(draft(), {
      agent_id: 'agent_1',
      mode: 'live',
      type: 'custom',
      title: null,
      description: 'Look',
      budget_cents: 1000,
      budget_basis: 'total',
      locked_cents: 1000,
      commission_basis_points: 1800,
      worker_pay_cents: 820,
      urgency: 'standard',
      proof_required: 'text',
      consensus_count: 1,
      consensus_max: null,
      min_confidence: null,
      deadline: at(7 * 24 * HOUR),
      scheduled_at: null,
      window_minutes: null,
      auto_approve_after: 86_400,
      min_worker_level: 1,
      skills: [],
      languages: [],
      location: null,
      context: {},
      metadata: null,
      answer_schema: null,
      criteria: null,
      callback_url: null,
      rehearsal: null,
      rehearse_at: null,
      created_at: now,
    })
  })

  test('locks the budget once, or for each worker', () => {
    const table: [TaskInput['budget_basis'], workers: number, locked: number, pay: number][] = [
      [undefined, 1, 1000, 820],
      ['total', 3, 1000, 273],
      ['per_worker', 1, 1000, 820],
      ['per_worker', 3, 3000, 820],
      ['per_worker', 25, 25_000, 820],
    ]

    for (const [budget_basis, consensus_count, locked, pay] of table) {
      const { locked_cents, worker_pay_cents } = draft({ budget_basis, consensus_count })
      assert.deepEqual([locked_cents, worker_pay_cents], [locked, pay])
    }
  })

  test('400 if a worker would get nothing', () => {
    assert.throws(
      () => draft({ budget_cents: 3, consensus_count: 4 }),
      refusal('budget_cents must leave at least one cent for each of 4 workers'),
    )
  })

  test('has a window only if it is scheduled', () => {
    const scheduled_at = at(HOUR).toISOString()

    assert.equal(draft({ window_minutes: 30 }).window_minutes, null)
    assert.equal(draft({ scheduled_at }).window_minutes, 60)
    assert.equal(draft({ scheduled_at, window_minutes: 30 }).window_minutes, 30)
    assert.deepEqual(draft({ scheduled_at }).scheduled_at, at(HOUR))
  })

  test('400 for a window that has passed, or that starts after the deadline', () => {
    assert.equal(
      draft({ scheduled_at: at(-HOUR + 1).toISOString() }).window_minutes,
      60,
      'a window that has started has not passed',
    )
    assert.throws(
      () => draft({ scheduled_at: at(-HOUR).toISOString() }),
      refusal('scheduled_at must be in the future'),
    )
    assert.throws(
      () => draft({ scheduled_at: at(2 * HOUR).toISOString(), deadline: '2h' }),
      refusal('deadline must be after scheduled_at'),
    )
  })

  test('is approved automatically no later than the budget allows, and no sooner than a minute', () => {
    const table: [cents: number, asked: string | number | undefined, seconds: number][] = [
      [1, undefined, 86_400],
      [2000, undefined, 86_400],
      [2001, undefined, 259_200],
      [10_000, undefined, 259_200],
      [10_001, undefined, 604_800],
      [1_000_000, '7d', 604_800],
      [1000, '24h', 86_400],
      [1000, '1m', 60],
      [1000, 60, 60],
    ]

    for (const [budget_cents, auto_approve_after, seconds] of table)
      assert.equal(draft({ budget_cents, auto_approve_after }).auto_approve_after, seconds)
    assert.throws(
      () => draft({ auto_approve_after: '25h' }),
      refusal('auto_approve_after must be at most 24h for this budget'),
    )
    assert.throws(
      () => draft({ auto_approve_after: '0h' }),
      refusal('auto_approve_after must be at least a minute'),
    )
  })

  test('reads the place from the context if it has the right shape', () => {
    const spot = { lat: 1, lng: 2 }

    assert.equal(draft({ context: { location: 'Rome' } }).location, 'Rome')
    assert.deepEqual(draft({ context: { location: { ...spot, floor: 3 } } }).location, spot)
    assert.equal(draft({ context: { location: { lat: 'x' } } }).location, null)
    assert.equal(draft({ context: { location: 7 } }).location, null)
    assert.deepEqual(draft({ location: spot, context: { location: 'Rome' } }).location, spot)
  })

  test('any budget for any number of workers is paid out to the cent, or refused', () => {
    fc.assert(
      fc.property(
        fc.integer({ min: 1, max: 1_000_000 }),
        fc.integer({ min: 1, max: 25 }),
        fc.constantFrom('total' as const, 'per_worker' as const),
        (budget_cents, consensus_count, budget_basis) => {
          try {
            const { locked_cents, worker_pay_cents } = draft({
              budget_cents,
              consensus_count,
              budget_basis,
            })
            const commission = commissionCents(locked_cents, COMMISSION_BASIS_POINTS)
            const nets = splitCents(locked_cents - commission, consensus_count)
            assert.equal(
              nets.reduce((sum, net) => sum + net, commission),
              locked_cents,
            )
            assert.equal(Math.min(...nets), worker_pay_cents)
            assert.ok(worker_pay_cents >= 1)
          } catch (error) {
            assert.ok(error instanceof ApiError && error.status === 400, String(error))
            const pay = workerPayCents({
              locked_cents: budget_cents,
              commission_basis_points: COMMISSION_BASIS_POINTS,
              consensus_count,
              consensus_max: null,
            })
            assert.ok(pay < 1)
          }
        },
      ),
      { numRuns: 300 },
    )
  })

  test('every valid input becomes a draft or a 400, never a defect', () => {
    const input = fc.record(
      {
        description: fc.string({ minLength: 1 }),
        budget_cents: fc.integer({ min: 1, max: 1_000_000 }),
        urgency: fc.constantFrom('instant', 'flex', 'scheduled', 'soon'),
        consensus_count: fc.integer({ min: 0, max: 30 }),
        deadline: fc.oneof(fc.string(), fc.stringMatching(/^\d{1,4}[mhd]$/)),
        auto_approve_after: fc.oneof(fc.nat(), fc.stringMatching(/^\d{1,4}[mhd]$/)),
        scheduled_at: fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
        window_minutes: fc.integer({ min: -1, max: 20_000 }),
        context: fc.dictionary(fc.string(), fc.jsonValue()),
        location: fc.jsonValue(),
        skills: fc.array(fc.string()),
        answer_schema: fc.jsonValue(),
      },
      { requiredKeys: ['description', 'budget_cents'] },
    )
    fc.assert(
      fc.property(input, (sent) => {
        const { data } = TaskInput.safeParse(sent)
        if (data === undefined) return
        try {
          const { deadline, worker_pay_cents } = draftTask(data, { agent, now, warn: () => {} })
          assert.ok(deadline > now && worker_pay_cents >= 1)
        } catch (error) {
          assert.ok(error instanceof ApiError && error.status === 400, String(error))
        }
      }),
      { numRuns: 500 },
    )
  })
})
