import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const refundAboveWallet = defineError(
  409,
  'refund_above_wallet',
  'The wallet has less than that; refund at most what it has',
  { balance_cents: z.int() },
)
export const refundAboveDeposits = defineError(
  409,
  'refund_above_deposits',
  'Less than that can go back to cards: a payment is refunded once, and not while its bank disputes it',
  { refundable_cents: z.int() },
)
export const refundOfRestricted = defineError(
  409,
  'refund_of_restricted',
  'This agent is restricted, and its money stays until that is settled; lift the restriction first',
)
export const writeOffAboveDebt = defineError(
  409,
  'write_off_above_debt',
  'The agent owes less than that; write off at most what it owes',
  { owed_cents: z.int() },
)
