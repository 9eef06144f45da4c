import { z } from 'zod'
import { TOLD_TYPES } from '../webhooks/record-event.ts'

export const Email = z.email('is not an e-mail address').max(254)

export const EventNames = z
  .array(z.enum(TOLD_TYPES))
  .max(TOLD_TYPES.length)
  .describe('Which events are sent; without it the first four')
