import { formatCents } from '../../kit/money.ts'
import type { agent } from '../agent.ts'
import type { DataOf } from '../command.ts'
import { facts, minute, waits } from './text.ts'

export function renderAgent(data: DataOf<typeof agent>): string[] {
  const { agent: shown, ledger, tasks } = data
  const restricted = shown.restricted_for === null ? '' : ` for ${shown.restricted_for}`
  return [
    ...facts([
      ['agent', shown.id],
      ['name', shown.name],
      ['email', shown.email],
      ['email verified', shown.email_verified_at && minute(shown.email_verified_at)],
      ['mode', shown.mode],
      ['twin', shown.twin_id],
      ['status', `${shown.status}${restricted}`],
      ['wallet', formatCents(ledger.wallet_cents)],
      ['owes', ledger.receivable_cents === 0 ? null : formatCents(ledger.receivable_cents)],
      ['free tasks left', String(ledger.free_tasks_remaining)],
      ...tasks.map(({ status, count, escrow_cents }): [string, string] => [
        `tasks ${status}`,
        `${count}, ${formatCents(escrow_cents)} in escrow`,
      ]),
      ['registered', minute(shown.created_at)],
    ]),
    '',
    ...waits(data.waits, data.at),
  ]
}
