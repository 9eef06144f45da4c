import { defineError } from '../kit/errors.ts'

export const testModeOnly = defineError(
  403,
  'test_mode_only',
  'This works in test mode only; send a key that begins with lw_test_',
)
