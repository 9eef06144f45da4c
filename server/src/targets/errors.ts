import { z } from 'zod'
import { defineError } from '../kit/errors.ts'
import { TARGET_KINDS } from './find-targets.ts'

export const targetProtected = defineError(
  403,
  'target_protected',
  'Too many tasks have this phone number, place or person as their target',
  {
    target: z.enum(TARGET_KINDS).describe('What is protected'),
    cap: z.int().describe('How many tasks may have it as their target, of all agents together'),
    window_hours: z.int().describe('In this time'),
    retry_after_seconds: z.int().describe('When the next task is possible, in whole hours'),
  },
  {
    who: 'agent',
    cause:
      'The phone number, the place or the person of the task has reached the number of live tasks that it may have ' +
      'in `window_hours`. The tasks of all agents count, so this can happen with your first one. ' +
      'It protects people from being called or visited again and again. Nothing was charged.',
    fix:
      'Wait for `retry_after_seconds`, and send the request again with another `Idempotency-Key`. ' +
      'If you ask several workers about one place, create one task with `consensus_count`: it counts once.',
    hint: 'Try again after retry_after_seconds; one task with consensus_count counts once',
  },
)
