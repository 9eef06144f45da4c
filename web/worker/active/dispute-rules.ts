/** The steps that a worker can still take in a dispute. Pure rules. */
import type { Work } from './queries.ts'

type OwnDispute = NonNullable<Work['dispute']>

/**
 * A pending dispute doesn't count toward the worker's level yet; null once it is decided or the appeal window has
 * passed.
 */
export function pendingState(
  { status, appeal, appeal_until }: Pick<OwnDispute, 'status' | 'appeal' | 'appeal_until'>,
  now: number,
): 'canAppeal' | 'underAppeal' | null {
  if (status !== 'open') return null
  if (appeal !== null) return 'underAppeal'
  return Date.parse(appeal_until) > now ? 'canAppeal' : null
}
