import { z } from 'zod'

const DEFAULT_LIMIT = 50
const LARGEST_LIMIT = 100

/** A page size. Larger values are clamped, and the response echoes the size used. */
export const limitOr = (usual: number) =>
  z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(1)
    .default(usual)
    .transform((limit) => Math.min(limit, LARGEST_LIMIT))

export const Limit = limitOr(DEFAULT_LIMIT)

/** How many items to skip. Beyond the maximum, use a cursor, which costs the same on every page. */
export const Offset = z.coerce
  .number({ error: 'must be a number' })
  .int()
  .min(0)
  .max(10_000, 'must be at most 10000; use cursor for further pages')
  .default(0)
