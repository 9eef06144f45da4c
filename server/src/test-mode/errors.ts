import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const tooManyTestWorkers = defineError(
  409,
  'too_many_test_workers',
  'You have reached today’s limit of test workers; use one of those you have',
  { limit: z.int() },
  {
    who: 'agent',
    cause:
      'Each call of `POST /test/workers` creates another worker, and a test agent can create only a few a day.',
    fix: 'Use the token of an existing one, which works for 7 days.',
  },
)
export const clockMoving = defineError(
  409,
  'clock_moving',
  'Another call is advancing the clock of this test agent; only one call can do so at a time',
  { retry_after_seconds: z.int() },
  {
    who: 'agent',
    cause:
      'Two calls of `POST /test/clock/advance` ran at the same time for one test agent. Only ' +
      'one call at a time can advance its clock.',
    fix:
      'Repeat the call after `retry_after_seconds`. Tests that run in parallel need a test ' +
      'agent each: `POST /test/agents`.',
    hint:
      'Wait for the other call to finish, then send this one again. To advance several clocks ' +
      'at once, use one test agent for each: POST /test/agents',
  },
)
