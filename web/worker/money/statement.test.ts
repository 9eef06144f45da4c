import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import type { EarnedItem } from './queries.ts'
import { statementOf } from './statement.ts'

const WORDS = {
  heads: ['Date', 'Kind', 'Task', 'Agent', 'Id', 'Gross', 'Fee', 'Net', 'Currency'],
  kinds: { approved: 'Task', compensation: 'Compensation', tip: 'Tip', goodwill: 'Appeal' },
}

const item = (fields: Partial<EarnedItem> = {}): EarnedItem => ({
  id: 'trf_1',
  at: '2026-03-29T12:00:00Z',
  kind: 'approved',
  task_id: 'task_1',
  title: 'Look',
  type: 'verification',
  agent_name: 'Atlas Maps',
  gross_cents: 500,
  commission_cents: 90,
  net_cents: 410,
  ...fields,
})

const linesOf = (items: EarnedItem[]) => statementOf(items, WORDS).slice(1).split('\r\n')

describe('an earnings statement', () => {
  test('has a line for each payment, the oldest first, in dollars and cents', () => {
    const lines = linesOf([
      item({
        at: '2026-03-30T12:00:00Z',
        kind: 'tip',
        gross_cents: 5,
        commission_cents: 0,
        net_cents: 5,
      }),
      item(),
    ])

    assert.deepEqual(lines, [
      'Date,Kind,Task,Agent,Id,Gross,Fee,Net,Currency',
      '2026-03-29,Task,Look,Atlas Maps,task_1,5.00,0.90,4.10,USD',
      '2026-03-30,Tip,Look,Atlas Maps,task_1,0.05,0.00,0.05,USD',
      '',
    ])
  })

  test('starts with a byte order mark', () => {
    assert.equal(statementOf([], WORDS)[0], '\uFEFF')
  })

  test('quotes commas, quotes and line breaks', () => {
    const [, line] = linesOf([item({ title: 'Say "yes", or\nno' })])

    assert.equal(
      statementOf([item({ title: 'Say "yes", or\nno' })], WORDS).includes('"Say ""yes"", or\nno"'),
      true,
    )
    assert.match(line!, /^2026-03-29,Task,"Say/)
  })

  for (const title of ['=HYPERLINK("http://x")', '+1', '@SUM(A1)', '-2+3', '\t=1'])
    test(`does not let ${JSON.stringify(title)} become a formula`, () => {
      const [, line] = linesOf([item({ title })])

      assert.match(line!, /,(?:"?)'/)
    })
})
