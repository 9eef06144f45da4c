import { z } from 'zod'
import { named } from '../kit/named.ts'
import { TOLD_TYPES } from './record-event.ts'

/** An event as agents see it, both in a delivery's body and in the event log. */
export const EventView = named(
  'Event',
  z.object({
    id: z
      .string()
      .describe(
        'The same in every delivery of the event: store it, and ignore events you have already seen',
      ),
    type: z.enum([...TOLD_TYPES, 'webhook.ping']),
    created_at: z.iso.datetime(),
    api_version: z.literal('v1'),
    sequence: z
      .int()
      .nullable()
      .describe(
        'Numbers the events of one task; null for events without a task. They may arrive in any order',
      ),
    data: z.record(z.string(), z.unknown()).describe('`task`, and the other objects of the event'),
  }),
)

export interface EventRow {
  id: string
  type: string
  created_at: Date
  sequence: number | null
  data: unknown
}

export const viewEvent = ({ id, type, created_at, sequence, data }: EventRow) => ({
  id,
  type,
  created_at: created_at.toISOString(),
  api_version: 'v1',
  sequence,
  data,
})

/** Returns the same bytes every time: `data` is stored as JSON, with its fields in order. */
export const renderEvent = (event: EventRow): string => JSON.stringify(viewEvent(event))
