import { formatCents } from '../../kit/money.ts'
import type { DataOf } from '../command.ts'
import type { worker } from '../worker.ts'
import { facts, minute, waits } from './text.ts'

export function renderWorker(data: DataOf<typeof worker>): string[] {
  const { worker: shown, decisions, slots, account, payable_cents } = data
  return [
    ...facts([
      ['worker', shown.id],
      ['name', shown.name],
      ['email', shown.email],
      ['mode', shown.mode],
      ['status', shown.status],
      ['level', `${shown.level}, trust ${shown.trust_score}`],
      ['record', `${shown.approved_count} approved, ${shown.disputed_count} disputed`],
      ['earned, unpaid', formatCents(payable_cents)],
      ['payout account', account ?? 'none'],
      ['joined', minute(shown.created_at)],
      ...slots.map(({ task_id, status, expires_at }): [string, string] => [
        'slot',
        `${task_id}, ${status}${status === 'accepted' ? ` until ${minute(expires_at)}` : ''}`,
      ]),
      ...decisions.map(
        ({ id, kind, decided_by, decided_at, reason, ended_for }): [string, string] => [
          'decision',
          `${id}, ${kind} by ${decided_by} on ${minute(decided_at)}: ${reason}` +
            (ended_for === null ? '' : ` (ended: ${ended_for})`),
        ],
      ),
    ]),
    '',
    ...waits(data.waits, data.at),
  ]
}
