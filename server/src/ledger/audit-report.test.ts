import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { addRuns, type ShardRuns } from './audit-report.ts'

describe('addRuns', () => {
  const at = (ms: number) => new Date(ms)
  const idle = (auditedAt: number | null, roundEndedAt: number | null): ShardRuns => ({
    audited_at: auditedAt === null ? null : at(auditedAt),
    round_ended_at: roundEndedAt === null ? null : at(roundEndedAt),
    started_at: null,
    pass: null,
    rows_done: null,
    rows_total: null,
    busy_ms: null,
  })
  const round = (startedAt: number, pass: string, done: number, total: number): ShardRuns => ({
    ...idle(2000, 1000),
    started_at: at(startedAt),
    pass,
    rows_done: done,
    rows_total: total,
    busy_ms: done * 10,
  })

  test('everything is checked as of the shard that was checked first', () => {
    const { audited_at, round_ended_at, round: open } = addRuns([idle(3000, 200), idle(2000, 900)])

    assert.deepEqual([audited_at, round_ended_at, open], [at(2000), at(200), null])
  })

  test('nothing is checked while one shard never was', () => {
    const { audited_at, round_ended_at } = addRuns([idle(3000, 200), idle(null, null)])

    assert.deepEqual([audited_at, round_ended_at], [null, null])
  })

  test('adds up the open rounds, and names the pass of the one with most left', () => {
    const parts = [round(500, 'payouts', 300, 400), idle(2000, 1000), round(400, 'tasks', 100, 400)]

    assert.deepEqual(addRuns(parts).round, {
      started_at: at(400),
      pass: 'tasks',
      percent: 50,
      seconds_left: 4,
    })
  })

  test('gives no time for rounds that have done nothing, and never 100 %', () => {
    assert.equal(addRuns([round(500, 'tasks', 0, 400)]).round!.seconds_left, null)
    assert.equal(addRuns([round(500, 'workers', 500, 400)]).round!.percent, 99)
  })
})
