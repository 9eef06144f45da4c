import { z } from 'zod'

export const Email = z.email('is not an e-mail address').max(254)

/** A place to send events to. Whether it may be reached is decided again whenever it is called. */
export const WebhookUrl = z
  // Aborts, because what follows takes it for an address that can be read.
  .url({ protocol: /^https?$/, error: 'is not an http or https address', abort: true })
  .max(2048)
  .refine((url) => {
    const { username, password } = new URL(url)
    return username === '' && password === ''
  }, 'must not hold a user name or password')

const EVENTS = [
  'task.proof_submitted',
  'task.completed',
  'task.disputed',
  'task.consensus_proof',
  'task.accepted',
  'task.released',
  'task.expired',
  'task.cancelled',
  'task.revision_requested',
  'task.approval_due',
  'task.dispute_resolved',
  'payout.paid',
  'deposit.succeeded',
] as const

export const EventNames = z
  .array(z.enum(EVENTS))
  .max(EVENTS.length)
  .describe('Which events are sent; without it the first four')
