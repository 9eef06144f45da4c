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

/** The words of the shorthand paths, which requests may use for their type. Responses always have the type. */
const SHORT_NAMES: Record<string, (typeof TASK_TYPES)[number]> = {
  verify: 'verification',
  call: 'voice_proxy',
  'gut-check': 'gut_check',
  field: 'field_mission',
  escalate: 'empathy_escalation',
  vibe: 'vibe_reader',
}

/** A type as a request names it. The documentation shows only the types themselves. */
export const AskedTaskType = z.preprocess(
  (name) =>
    typeof name === 'string' && Object.hasOwn(SHORT_NAMES, name) ? SHORT_NAMES[name] : name,
  TaskType,
)
