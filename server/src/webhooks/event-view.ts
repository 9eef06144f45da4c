import { z } from 'zod'
import { named } from '../kit/named.ts'
import { TOLD_TYPES } from './record-event.ts'

/** An event as agents see it, both in a delivery's body and in the event log. */
export const EventView = named(
  'Event',
  z.object({
    id: z
      .string()
      .describe('The same in every delivery of the event: keep it, and ignore what you know'),
    type: z.enum([...TOLD_TYPES, 'webhook.ping']),
    created_at: z.iso.datetime(),
    api_version: z.literal('v1'),
    sequence: z
      .int()
      .nullable()
      .describe(
        'Counts the events of one task; null for an event of no task. They may come in any order',
      ),
    data: z.record(z.string(), z.unknown()).describe('`task`, and what else the event is about'),
  }),
)

export interface EventRow {
  id: string
  type: string
  created_at: Date
  sequence: number | null
  /** `data` as the stored JSON text, so it isn't parsed and serialized again. */
  data_text: string
}

/** Returns the same bytes every time the event is sent. */
export function renderEvent({ id, type, created_at, sequence, data_text }: EventRow): string {
  const head = { id, type, created_at: created_at.toISOString(), api_version: 'v1', sequence }
  return `${JSON.stringify(head).slice(0, -1)},"data":${data_text}}`
}
