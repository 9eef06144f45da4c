/**
 * Trust: a score from 0 to 100 from a worker's record, and the level that follows from it. Pure rules.
 *
 * score = round(100 · (7 + G) / (10 + G + B)), where G and B are sums of causes that decay with a half-life of 90 days.
 * A new worker has 70.
 */

/** Every cause that changes trust, and its weight. */
export const CAUSES = {
  approved: { good: 1, bad: 0 },
  disputed: { good: 0, bad: 3 },
  abandoned: { good: 0, bad: 0.5 },
} as const
export type Cause = keyof typeof CAUSES

/** Causes without a weight of their own: each exactly reverses one dispute. */
export type TakenBack = 'dispute_withdrawn' | 'dispute_overturned' | 'dispute_split' | 'late_proof'

const HALF_LIFE_MS = 90 * 86_400_000
const EPOCH = Date.UTC(2026, 0, 1)

/**
 * Forward decay: the factor by which a cause at this moment is scaled before it is added to a sum. All causes decay at
 * the same rate, so instead of decaying old causes, new ones are scaled up relative to a fixed epoch. Sums can be built
 * in any order, a reversal is a subtraction, and dividing by today's factor gives the current value. It overflows only
 * after 250 years.
 */
export const scaleOf = (at: Date) => 2 ** ((at.getTime() - EPOCH) / HALF_LIFE_MS)

export interface TrustRecord {
  trust_good: number
  trust_bad: number
}

/** Standing is the record without pending disputes: those that the worker can still appeal, or has appealed. */
export interface StandingRecord extends TrustRecord {
  /** The part of `trust_bad` that is pending. */
  trust_pending: number
}

export function trustScore(record: TrustRecord, now: Date): number {
  return Math.round(exactScore(record, now))
}

/** The score that levels are computed from. */
export function standingScore(record: StandingRecord, now: Date): number {
  const { trust_good, trust_bad, trust_pending } = record
  // The two sums are added up in different orders, so equal ones can differ by a rounding error.
  return trustScore({ trust_good, trust_bad: Math.max(0, trust_bad - trust_pending) }, now)
}

function exactScore(record: TrustRecord, now: Date): number {
  const good = record.trust_good / scaleOf(now)
  const bad = record.trust_bad / scaleOf(now)
  return (100 * (7 + good)) / (10 + good + bad)
}

/** What one cause added to a worker's sums, scaled by `scaleOf` as the sums are. */
export interface TrustEvent {
  good: number
  bad: number
  weight: number
}

/** The event that reverses an earlier one, whatever its age: the sums become what they would be without it. */
export const takeBack = ({ good, bad, weight }: TrustEvent): TrustEvent => ({
  good: 0 - good,
  bad: 0 - bad,
  weight: 0 - weight,
})

/**
 * By how many points each of the newest events changed the score at its time. Walks back from the current sums, so
 * the events must be given newest first, without gaps.
 */
export function pointsOf(
  record: TrustRecord,
  newestFirst: readonly (Pick<TrustEvent, 'good' | 'bad'> & { created_at: Date })[],
): number[] {
  let after = record
  return newestFirst.map(({ good, bad, created_at }) => {
    const before = { trust_good: after.trust_good - good, trust_bad: after.trust_bad - bad }
    const points = exactScore(after, created_at) - exactScore(before, created_at)
    after = before
    return Math.round(points * 10) / 10 + 0
  })
}

/** From the highest down: the first whose conditions are met is the worker's level. */
export const LEVELS = [
  { level: 5, approved: 300, trust: 90, identity: true },
  { level: 4, approved: 100, trust: 80, identity: true },
  { level: 3, approved: 25, trust: 70, identity: false },
  { level: 2, approved: 5, trust: 60, identity: false },
]

export interface LevelRecord extends StandingRecord {
  approved_count: number
  identity_done_at: Date | null
}

export function levelOf(record: LevelRecord, now: Date): number {
  const trust = standingScore(record, now)
  const reached = LEVELS.find(
    ({ approved, trust: least, identity }) =>
      record.approved_count >= approved &&
      trust >= least &&
      (!identity || record.identity_done_at !== null),
  )
  return reached?.level ?? 1
}

/** What is missing for the next level; null at the top level. */
export function nextLevel(record: LevelRecord, now: Date) {
  const current = levelOf(record, now)
  const next = LEVELS.find(({ level }) => level === current + 1)
  if (next === undefined) return null
  return {
    level: next.level,
    approved_needed: Math.max(0, next.approved - record.approved_count),
    trust_needed: Math.max(0, next.trust - standingScore(record, now)),
    identity_needed: next.identity && record.identity_done_at === null,
  }
}

/** The score and level if one pending dispute were decided now, either way; the other pending ones stay pending. */
export function outcomesOf(record: LevelRecord, { bad }: Pick<TrustEvent, 'bad'>, now: Date) {
  const trust_pending = Math.max(0, record.trust_pending - bad)
  const upheld = { ...record, trust_pending }
  // Work whose dispute is overturned counts as approved.
  const overturned = {
    ...record,
    trust_good: record.trust_good + CAUSES.approved.good * scaleOf(now),
    trust_bad: Math.max(0, record.trust_bad - bad),
    trust_pending,
    approved_count: record.approved_count + 1,
  }
  const view = (after: LevelRecord) => ({
    trust_score: trustScore(after, now),
    standing_score: standingScore(after, now),
    level: levelOf(after, now),
  })
  return { if_upheld: view(upheld), if_overturned: view(overturned) }
}
