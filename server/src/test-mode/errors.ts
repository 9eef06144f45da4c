import { z } from 'zod'
import { defineError } from '../kit/errors.ts'

export const testModeOnly = defineError(
  403,
  'test_mode_only',
  'This works in test mode only; send a key that begins with lw_test_',
)
export const tooManyTestTasks = defineError(
  409,
  'too_many_test_tasks',
  'You have more unfinished test tasks than a clock can move; cancel some, or let them end by themselves',
  { limit: z.int() },
)
export const tooManyTestWorkers = defineError(
  409,
  'too_many_test_workers',
  'You have made as many test workers today as you may; go on with one of them',
  { limit: z.int() },
)
