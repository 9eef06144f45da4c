/** Fields that take any JSON, limited in nesting and size. */
import { z } from 'zod'
import { nestsAtMost } from './nesting.ts'

const FREE_FORM_BYTES_MAX = 16_384
const NESTING_MAX = 32

/** An arbitrary JSON object, limited in nesting and size. */
export const FreeForm = z
  .record(z.string(), z.unknown())
  // Aborts on failure, because JSON.stringify in the next check would overflow the stack on deeply nested input.
  .refine((value) => nestsAtMost(value, NESTING_MAX), {
    error: `must be nested at most ${NESTING_MAX} deep`,
    abort: true,
  })
  .refine((value) => {
    return Buffer.byteLength(JSON.stringify(value)) <= FREE_FORM_BYTES_MAX
  }, 'must be at most 16 KB')

/** An arbitrary JSON value with the same limits. */
export const AnyJson = z
  .unknown()
  .refine((value) => nestsAtMost(value, NESTING_MAX), {
    error: `must be nested at most ${NESTING_MAX} deep`,
    abort: true,
  })
  .refine((value) => {
    return Buffer.byteLength(JSON.stringify(value) ?? '') <= FREE_FORM_BYTES_MAX
  }, 'must be at most 16 KB')

/** The maximum body size for a single free-form value: each of its 16,384 bytes may be a 6-byte escape. */
export const FREE_FORM_BODY_MAX_BYTES = 131_072
