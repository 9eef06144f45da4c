import { formatCents } from '../../kit/money.ts'
import { counted } from '../../kit/words.ts'
import type { CheckedRestore, LostMovement } from '../../reconcile/check-restore.ts'
import type { DataOf } from '../command.ts'
import type { restoreDeclare } from '../restore-declare.ts'
import type { restoreErase } from '../restore-erase.ts'
import type { restoreOpen } from '../restore-open.ts'

export function renderRestoreDeclare(data: DataOf<typeof restoreDeclare>): string[] {
  const { restored_to, is_new, task_count } = data
  return [
    `The restore to ${restored_to.toISOString()} ${is_new ? 'is declared' : 'was declared before'}.`,
    `Skipped numbers in the event sequences of ${counted(task_count, 'tasks')}.`,
    'Payouts, refunds and withdrawals are off. Next: ops restore check',
  ]
}

export function renderRestoreCheck(data: CheckedRestore): string[] {
  const { restored_to, declared_at, reconciliation, movements, events_to_repeat } = data
  const of = (booked: LostMovement['booked']) => movements.filter((one) => one.booked === booked)
  return [
    `Restored to ${restored_to.toISOString()}, declared at ${declared_at.toISOString()}.`,
    `The processor has ${formatCents(reconciliation.processor_cents)}, the ledger ` +
      `${formatCents(reconciliation.ledger_cents)}.`,
    `${counted(movements.length, 'movements')} of the processor were missing in the database:`,
    ...(['deposit', 'payout', 'refund', 'chargeback', 'other'] as const).flatMap((booked) =>
      of(booked).length === 0 ? [] : [`  booked again   ${booked.padEnd(11)} ${sumOf(of(booked))}`],
    ),
    ...of('suspense').map((one) => `  in suspense    ${lineOf(one)}: ops suspense`),
    ...of('not booked').map((one) => `  NOT BOOKED     ${lineOf(one)}`),
    `${counted(events_to_repeat, 'events')} wait to be relayed; agents may get them a second time.`,
    data.is_complete
      ? 'Every movement is booked. Next: ops restore open'
      : 'Not every movement is booked: see docs/restore.md, then run this again.',
  ]
}

export function renderRestoreErase({ workers }: DataOf<typeof restoreErase>): string[] {
  const words = {
    closed: 'closed again, and erased',
    was_closed: 'is closed already',
    unknown: 'is not in this database: registered after the restored second',
  }
  return workers.map(({ id, outcome }) => `${id}  ${words[outcome]}`)
}

export function renderRestoreOpen(data: DataOf<typeof restoreOpen>): string[] {
  if (!data.is_open) return [...renderRestoreCheck(data), 'Nothing was turned on.']
  const named = (isOn: boolean) =>
    data.switches.filter(({ is_on }) => is_on === isOn).map(({ name }) => name)
  const off = named(false)
  return [
    `The restore is open. On again: ${named(true).join(', ') || 'nothing'}.` +
      (off.length === 0 ? '' : ` Still off: ${off.join(', ')} (ops switch NAME on).`),
  ]
}

const sumOf = (movements: LostMovement[]) =>
  `${movements.length}, ${formatCents(movements.reduce((sum, one) => sum + one.amount_cents, 0))}`

const lineOf = ({ transaction_id, type, source_id, amount_cents, at }: LostMovement) =>
  `${transaction_id} ${formatCents(amount_cents)} (${type} of ${source_id ?? 'nothing'}, ${at.toISOString()})`
