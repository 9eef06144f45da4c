import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { addUp, type Earning } from './earnings.ts'
import { spanBetween } from './periods.ts'

const MINUTE = 60_000
const SPAN = spanBetween({ from: '2026-05-01', to: '2026-05-03', tz: 'UTC' })

const earning = (fields: Partial<Earning> = {}): Earning => ({
  at: new Date('2026-05-02T10:00:00Z'),
  net_cents: 820,
  commission_cents: 180,
  task_id: 'task_1',
  type: 'custom',
  worked_ms: 30 * MINUTE,
  ...fields,
})

describe('the sums of earnings', () => {
  test('are zero at every step without earnings', () => {
    const { series, ...totals } = addUp([], [], SPAN)

    assert.deepEqual(totals, {
      gross_cents: 0,
      commission_cents: 0,
      net_cents: 0,
      tasks: 0,
      pending_cents: 0,
      worked_minutes: 0,
      effective_hourly_cents: null,
      by_type: [],
    })
    assert.deepEqual(
      series.map(({ label, net_cents, pending_cents }) => [label, net_cents, pending_cents]),
      [
        ['2026-05-01', 0, 0],
        ['2026-05-02', 0, 0],
        ['2026-05-03', 0, 0],
      ],
    )
  })

  test('count a task and its time once, though it was tipped', () => {
    const lines = [
      earning(),
      earning({ net_cents: 200, commission_cents: 0, at: new Date('2026-05-03T10:00:00Z') }),
    ]

    const { tasks, net_cents, gross_cents, worked_minutes, effective_hourly_cents, series } = addUp(
      lines,
      [],
      SPAN,
    )

    assert.deepEqual([tasks, net_cents, gross_cents], [1, 1020, 1200])
    assert.deepEqual([worked_minutes, effective_hourly_cents], [30, 2040])
    assert.deepEqual(
      series.map((step) => step.net_cents),
      [0, 820, 200],
    )
  })

  test('leave pay without a duration out of the hourly pay', () => {
    const { worked_minutes, effective_hourly_cents } = addUp(
      [earning(), earning({ task_id: 'task_2', net_cents: 100, worked_ms: null })],
      [],
      SPAN,
    )

    assert.deepEqual([worked_minutes, effective_hourly_cents], [30, 1640])
  })

  test('show pending pay on its day, and all of it in the total', () => {
    const { pending_cents, series } = addUp(
      [],
      [
        { at: new Date('2026-04-01T00:00:00Z'), pay_cents: 100 },
        { at: new Date('2026-05-03T23:59:59Z'), pay_cents: 20 },
        { at: new Date('2026-05-04T00:00:00Z'), pay_cents: 3 },
      ],
      SPAN,
    )

    assert.equal(pending_cents, 123)
    assert.deepEqual(
      series.map((step) => step.pending_cents),
      [0, 0, 20],
    )
  })

  test('are the same by type, by step and in total', () => {
    const Line = fc
      .record({
        hours: fc.integer({ min: 0, max: 71 }),
        net_cents: fc.integer({ min: 1, max: 100_000 }),
        commission_cents: fc.integer({ min: 0, max: 20_000 }),
        task: fc.integer({ min: 1, max: 9 }),
      })
      .map(({ hours, task, ...cents }) =>
        earning({
          ...cents,
          at: new Date(SPAN.start.getTime() + hours * 60 * MINUTE),
          task_id: `task_${task}`,
          type: `type_${task % 3}`,
        }),
      )
    fc.assert(
      fc.property(fc.array(Line), (lines) => {
        const { gross_cents, commission_cents, net_cents, tasks, by_type, series } = addUp(
          lines,
          [],
          SPAN,
        )
        const total = (of: { net_cents: number }[]) =>
          of.reduce((sum, one) => sum + one.net_cents, 0)

        assert.equal(gross_cents - commission_cents, net_cents)
        assert.equal(total(lines), net_cents)
        assert.equal(total(by_type), net_cents)
        assert.equal(total(series), net_cents)
        assert.equal(
          by_type.reduce((sum, one) => sum + one.tasks, 0),
          tasks,
        )
      }),
    )
  })
})
