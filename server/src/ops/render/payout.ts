import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { payout } from '../payout.ts'
import { holdWords } from '../payout-waits.ts'
import { facts, minute, waits } from './text.ts'

export function renderPayout(data: DataOf<typeof payout>): string[] {
  const { payout: row } = data
  return [
    ...facts([
      ['payout', row.id],
      ['amount', formatCents(row.amount_cents)],
      ['status', row.status === 'held' ? `held: ${holdWords(row)}` : row.status],
      ['worker', row.worker_id],
      ['agent', row.agent_id],
      ['task', row.task_id],
      ['funded by', row.funding],
      ['mode', row.mode],
      ['account', row.account_id],
      ['transfer', row.transfer_id],
      ['reversed', row.reversed_cents === 0 ? null : formatCents(row.reversed_cents)],
      ['failure', row.failure_message ?? row.failure_code],
      ['follows', row.previous_id],
      ['note', row.note],
      ['created', minute(row.created_at)],
      ['paid', row.paid_at && minute(row.paid_at)],
    ]),
    '',
    ...waits(data.waits, data.at),
  ]
}
