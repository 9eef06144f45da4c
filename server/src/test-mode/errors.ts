import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const tooManyTestWorkers = defineError(
  409,
  'too_many_test_workers',
  'You have made as many test workers today as you may; go on with one of them',
  { limit: z.int() },
  {
    who: 'agent',
    cause:
      'Each call of `POST /test/workers` makes another worker, and a test agent has a few only.',
    fix: 'Go on with the token of one of them, which works for 7 days.',
  },
)
export const clockMoving = defineError(
  409,
  'clock_moving',
  'Another call is moving the clock of this test agent; one call at a time can',
  { retry_after_seconds: z.int() },
  {
    who: 'agent',
    cause:
      'Two calls of `POST /test/clock/advance` came at once for one test agent. One call at a time moves its clock.',
    fix:
      'Repeat the call after `retry_after_seconds`. Tests that run in parallel need a test agent each: ' +
      '`POST /test/agents`.',
    hint:
      'Wait for the other call to finish, then send this one again. To move several clocks at once, use one test ' +
      'agent for each: POST /test/agents',
  },
)
