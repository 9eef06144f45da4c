/** All events that are sent to agents: when each is sent, and the contents of its `data`. */
import { z } from 'zod'
import { PayoutPaid } from './payouts/tell.ts'
import { taskEvents } from './tasks/events.ts'
import { DepositSucceeded } from './wallet/notify-deposit.ts'
import type { TOLD_TYPES } from './webhooks/record-event.ts'

type ToldType = (typeof TOLD_TYPES)[number] | 'webhook.ping'

const Ping = z.object({
  tampered: z
    .literal(true)
    .optional()
    .describe('The signature is wrong because you requested that'),
})

export const events: Readonly<Record<ToldType, { when: string; data: z.ZodObject }>> = {
  ...taskEvents,
  'payout.paid': {
    when: 'A worker’s pay for one of your tasks has arrived at the worker’s payout account',
    data: PayoutPaid,
  },
  'deposit.succeeded': { when: 'A deposit arrived in your wallet', data: DepositSucceeded },
  'webhook.ping': { when: 'You requested it with POST /webhooks/ping', data: Ping },
}
