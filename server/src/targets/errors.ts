import { z } from 'zod'
import { ApiError, defineError } from '../kit/errors.ts'
import { TARGET_KINDS, type TargetKind } from './find-targets.ts'

export const targetProtected = defineError(
  403,
  'target_protected',
  'Too many tasks have this phone number, place or person as their target',
  {
    target: z.enum(TARGET_KINDS).describe('What is protected'),
    reason: z
      .enum(['cap', 'do_not_contact'])
      .describe('`do_not_contact`: a person asked us not to send workers there'),
    cap: z.int().optional().describe('How many tasks of all agents may have it as their target'),
    window_hours: z.int().optional().describe('In this time'),
    retry_after_seconds: z
      .int()
      .optional()
      .describe('When the next task is possible, in whole hours; absent for `do_not_contact`'),
  },
  {
    who: 'agent',
    cause:
      'With the `reason` `cap`, the phone number, the place or the person of the task has reached the number of ' +
      'live tasks that it may have in `window_hours`. The tasks of all agents count, so this can happen with your ' +
      'first one. With `do_not_contact`, a person asked us not to be contacted. Nothing was charged.',
    fix:
      'After `cap`, wait for `retry_after_seconds`, and send the request again with another `Idempotency-Key`. ' +
      'If you ask several workers about one place, create one task with `consensus_count`: it counts once. After ' +
      '`do_not_contact`, do not try again.',
    hint: 'Try again after retry_after_seconds; one task with consensus_count counts once',
  },
)

export function doNotContact(target: TargetKind): ApiError {
  const { status, code } = targetProtected
  return new ApiError(
    status,
    code,
    `This ${NOUNS[target]} must not be contacted: someone asked us not to send workers there`,
    { target, reason: 'do_not_contact' },
    'Do not try again; remove the target from your list',
  )
}

const NOUNS: Record<TargetKind, string> = {
  phone: 'phone number',
  place: 'place',
  person: 'person',
}
