import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Text } from '../text/use-text.tsx'
import { type Notice, wordsOf } from './notice-words.ts'

/** Returns the id of a message with the amounts that it is given. */
const text = Object.assign(
  (id: string, { money, tip }: { money?: string; tip?: string } = {}) => `${id} ${money} ${tip}`,
  { money: (cents: number) => `$${cents / 100}` },
) as unknown as Text

const paid: Notice = {
  id: 'ntc_1',
  kind: 'paid',
  task_id: 'task_1',
  title: 'Look at it',
  agent_name: 'Atlas',
  amount_cents: 410,
  tip_cents: null,
  distance_km: null,
  reason: null,
  question_id: null,
  until: null,
  at: '2026-11-17T09:00:00.000Z',
  read_at: null,
}

test('a notice of pay names the tip, if there is one', () => {
  assert.match(wordsOf(paid, text).title, /^inbox\.paid \$4\.1 /)
  assert.equal(wordsOf({ ...paid, tip_cents: 100 }, text).title, 'inbox.paidTip $4.1 $1')
})
