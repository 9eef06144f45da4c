import assert from 'node:assert/strict'
import { test } from 'node:test'
import { subjectHref } from './subject-href.ts'

const TASK = 'task_01m7h4xk1pfkx909107ks5ks0a'

for (const [action, subject, href] of [
  ['payout.release', 'po_01m7h4xk1pfkx909107ks5ks0a', '/case/po_01m7h4xk1pfkx909107ks5ks0a'],
  ['operator.role', 'opr_1', '/team/opr_1'],
  ['session.begin', 'opr_1', '/team/opr_1'],
  ['appeal.rule.agree', 'opd_1', '/decisions/opd_1'],
  ['switch.turn', 'payouts', '/switches'],
  ['limit.change', 'refund.send', '/limits'],
  ['search', TASK, `/case/${TASK}`],
  ['search', 'search', undefined],
  ['audit_log.export', 'audit_log', undefined],
  ['command.refused', 'payout release', undefined],
] as const)
  test(`${action} of ${subject} leads to ${href ?? 'nowhere'}`, () => {
    assert.equal(subjectHref(action, subject), href)
  })
