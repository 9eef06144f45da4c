import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const refundAboveWallet = defineError(
  409,
  'refund_above_wallet',
  'The wallet has less than that; refund at most what it has',
  { balance_cents: z.int() },
  {
    who: 'operator',
    cause: 'The agent’s wallet holds less.',
    fix: 'Refund at most `balance_cents`.',
  },
)
export const refundAboveDeposits = defineError(
  409,
  'refund_above_deposits',
  'Less than that can go back to cards: a payment is refunded once, and not while its bank disputes it',
  { refundable_cents: z.int() },
  {
    who: 'operator',
    cause: 'Less than that was paid in by card and can still go back.',
    fix: 'Refund at most `refundable_cents`.',
  },
)
export const refundOfRestricted = defineError(
  409,
  'refund_of_restricted',
  'This agent is restricted, and its money stays until that is settled; lift the restriction first',
  {},
  {
    who: 'operator',
    cause: 'The agent is restricted.',
    fix: 'Settle what it is restricted for, and lift the restriction.',
  },
)
export const writeOffAboveDebt = defineError(
  409,
  'write_off_above_debt',
  'The agent owes less than that; write off at most what it owes',
  { owed_cents: z.int() },
  { who: 'operator', cause: 'The agent owes less.', fix: 'Write off at most `owed_cents`.' },
)
