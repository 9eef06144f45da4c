import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noticeLink } from './notice-link.ts'

for (const [kind, task_id, link] of [
  ['new_task', 'task_1', '/task/task_1'],
  ['half_time', 'task_1', '/active/task_1'],
  ['check_in', 'task_1', '/active/task_1'],
  ['revision_requested', 'task_1', '/active/task_1'],
  ['disputed', 'task_1', '/inbox/task_1'],
  ['dispute_held', 'task_1', '/inbox/task_1'],
  ['decided', 'task_1', '/inbox/task_1'],
  ['level_lowered', 'task_1', '/me/trust'],
  ['paid', 'task_1', '/earnings/task_1'],
  ['cancelled', 'task_1', '/earnings/task_1'],
  ['payout_paid', 'task_1', '/earnings/task_1'],
  ['payout_paid', null, '/payout'],
  ['payout_failed', 'task_1', '/payout'],
  ['test', null, '/inbox'],
] as const)
  test(`${kind} of ${task_id ?? 'no task'} links to ${link}`, () => {
    assert.equal(noticeLink({ kind, task_id }), link)
  })

test('question_answered links to its question', () => {
  const notice = { kind: 'question_answered', task_id: null } as const
  assert.equal(noticeLink({ ...notice, question_id: 'wqn_1' }), '/me/questions/wqn_1')
  assert.equal(noticeLink(notice), '/me/questions')
})
