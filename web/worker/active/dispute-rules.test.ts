import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pendingState } from './dispute-rules.ts'

const UNTIL = '2026-11-19T12:00:00.000Z'
const NOW = Date.parse(UNTIL)
const appeal = {
  statement: 'It is right',
  created_at: '2026-11-17T12:00:00.000Z',
  agent_until: UNTIL,
  agent_answer: null,
  ruling: null,
  ruling_note: null,
  ruled_at: null,
}
const open = { status: 'open', appeal: null, appeal_until: UNTIL } as const

test('a dispute is pending until the appeal deadline, and under appeal until it is decided', () => {
  assert.equal(pendingState(open, NOW - 1), 'canAppeal')
  assert.equal(pendingState(open, NOW), null)
  assert.equal(pendingState({ ...open, appeal }, NOW + 1), 'underAppeal')
  assert.equal(pendingState({ ...open, appeal, status: 'upheld' }, NOW - 1), null)
  assert.equal(pendingState({ ...open, status: 'withdrawn' }, NOW - 1), null)
})
