import { z } from 'zod'
import type { Tx } from '../kit/db.ts'
import { recordEvents } from '../webhooks/record-event.ts'
import type { Deposit } from './queries.ts'

/** `data` of the event. */
export const DepositSucceeded = z.object({
  deposit: z.object({
    transaction_id: z.string().describe('The same as in the response of POST /wallet/deposit'),
    amount_cents: z.int(),
    created_at: z.iso.datetime().describe('When the deposit was requested'),
  }),
})

/** Records the event deposit.succeeded in the transaction that credits the wallet. */
export const notifyDeposit = (tx: Tx, deposit: Deposit, { now }: { now: Date }): Promise<void> =>
  recordEvents(tx, [
    {
      type: 'deposit.succeeded',
      agentId: deposit.agent_id,
      data: {
        deposit: {
          transaction_id: deposit.id,
          amount_cents: deposit.amount_cents,
          created_at: deposit.created_at.toISOString(),
        },
      } satisfies z.output<typeof DepositSucceeded>,
      now,
    },
  ])
