import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const refundAboveWallet = defineError(
  409,
  'refund_above_wallet',
  'The wallet has less than this amount; refund at most its balance',
  { balance_cents: z.int() },
  {
    who: 'operator',
    cause: 'The agent’s wallet has less than the requested amount.',
    fix: 'Refund at most `balance_cents`.',
  },
)
export const refundAboveDeposits = defineError(
  409,
  'refund_above_deposits',
  'Less than this amount can be refunded to cards: a payment is refunded only once, and not ' +
    'while the bank disputes it',
  { refundable_cents: z.int() },
  {
    who: 'operator',
    cause: 'Less than the requested amount was paid by card and can still be refunded.',
    fix: 'Refund at most `refundable_cents`.',
  },
)
export const refundOfRestricted = defineError(
  409,
  'refund_of_restricted',
  'This agent is restricted, and its money can’t be refunded until this is settled; lift the restriction first',
  {},
  {
    who: 'operator',
    cause: 'The agent is restricted.',
    fix: 'Settle the reason for the restriction, and lift it.',
  },
)
export const writeOffAboveDebt = defineError(
  409,
  'write_off_above_debt',
  'The agent owes less than this amount; write off at most what it owes',
  { owed_cents: z.int() },
  {
    who: 'operator',
    cause: 'The agent owes less than the requested amount.',
    fix: 'Write off at most `owed_cents`.',
  },
)
