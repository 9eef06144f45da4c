import type { Answer } from '../api.ts'

export type Transaction = Answer<'/wallet'>['transactions'][number]

export const TRANSACTIONS: Record<Transaction['type'], string> = {
  deposit: 'Deposit',
  escrow_lock: 'Locked for a task',
  escrow_release: 'Paid to workers',
  escrow_refund: 'Refunded from a task',
  free_task_credit: 'Free task, paid by Legwork',
  free_task_return: 'Free task, returned',
  refund: 'Refund to your card',
  chargeback: 'Chargeback',
  chargeback_reversal: 'Chargeback reversed',
  appeal_debit: 'Appeal won by the worker',
  tip: 'Tip',
  adjustment: 'Adjustment',
}
