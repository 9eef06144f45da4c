import { formatCents } from '../../kit/money.ts'
import { titleOf } from '../../kit/words.ts'
import type { DataOf } from '../command.ts'
import type { task } from '../task.ts'
import { facts, minute, waits } from './text.ts'

export function renderTask(data: DataOf<typeof task>): string[] {
  const { task: row, slots, disputes, reports } = data
  return [
    ...facts([
      ['task', row.id],
      ['title', row.title ?? titleOf(row.description)],
      ['type', row.type],
      ['mode', row.mode],
      ['status', `${row.status}${row.status_reason === null ? '' : `, ${row.status_reason}`}`],
      ['agent', row.agent_id],
      ['budget', `${formatCents(row.budget_cents)}, ${formatCents(row.escrow_cents)} in escrow`],
      ['slots', `${row.slots_taken} of ${row.consensus_count + row.slots_extra} taken`],
      ['deadline', minute(row.deadline)],
      ['created', minute(row.created_at)],
      ['ended', row.ended_at && minute(row.ended_at)],
      ...slots.map((slot): [string, string] => [
        'slot',
        `${slot.worker_id}, ${slot.status}, pays ${formatCents(slot.pay_cents)}`,
      ]),
      ...disputes.map((row): [string, string] => [
        'dispute',
        `${row.id}, ${row.status}: ${row.reason}`,
      ]),
      ...reports.map((row): [string, string] => [
        'report',
        `${row.kind}, ${row.verdict ?? 'waits'}`,
      ]),
    ]),
    '',
    ...waits(data.waits, data.at),
  ]
}
