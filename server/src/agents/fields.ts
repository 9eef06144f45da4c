import { z } from 'zod'
import { named } from '../kit/named.ts'
import { TOLD_TYPES } from '../webhooks/record-event.ts'

export const Email = z.email('must be an email address').max(254)

export const EventNames = z
  .array(z.enum(TOLD_TYPES))
  .max(TOLD_TYPES.length)
  .describe('The events that we send; by default the first four')

/** Defined here, not in tasks/, to avoid an import cycle: keys can be limited to task types, and tasks use keys. */
export const TASK_TYPES = [
  'verification',
  'voice_proxy',
  'gut_check',
  'field_mission',
  'empathy_escalation',
  'vibe_reader',
  'custom',
] as const
export const TaskType = named('TaskType', z.enum(TASK_TYPES))
