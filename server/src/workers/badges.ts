/** A worker's badges. Pure rules over a record; no pay and no task depends on a badge. */
export const BADGES = [
  'email_verified',
  'payout_ready',
  'first_task',
  'streak_7',
  'fast_responder',
  'field_pro',
  'consensus_sage',
  'spotless_50',
] as const
export type Badge = (typeof BADGES)[number]

/** The fields of a judged task that badges and statistics use. */
export interface Judged {
  status: 'approved' | 'disputed'
  type: string
  consensus_count: number
  accepted_at: Date
  submitted_at: Date | null
  expires_at: Date
  ended_at: Date | null
  /** Disputed, and the worker can still appeal or is waiting for a ruling. */
  is_pending: boolean
}

export interface BadgeRecord {
  verified_at: Date | null
  payouts_ready_at: Date | null
  approved_count: number
  /** The latest ones, newest first. */
  judged: readonly Judged[]
}

const DAY = 86_400_000

/** Returns badges in the order of `BADGES`. */
export function badgesOf({
  verified_at,
  payouts_ready_at,
  approved_count,
  judged,
}: BadgeRecord): Badge[] {
  const approved = judged.filter(({ status }) => status === 'approved')
  const decided = judged.filter(({ is_pending }) => !is_pending)
  const count = (is: (task: Judged) => boolean) => approved.filter(is).length
  const has: Record<Badge, boolean> = {
    email_verified: verified_at !== null,
    payout_ready: payouts_ready_at !== null,
    first_task: approved_count > 0,
    streak_7: longestStreak(approved) >= 7,
    fast_responder: isFast(approved.slice(0, 20)),
    field_pro: count(({ type }) => type === 'field_mission') >= 10,
    consensus_sage: count(({ consensus_count }) => consensus_count > 1) >= 20,
    spotless_50:
      decided.length >= 50 && decided.slice(0, 50).every(({ status }) => status === 'approved'),
  }
  return BADGES.filter((badge) => has[badge])
}

/** The longest run of consecutive UTC days with approved work. */
function longestStreak(approved: readonly Judged[]): number {
  const days = new Set(
    approved.flatMap(({ ended_at }) => (ended_at ? Math.floor(ended_at.getTime() / DAY) : [])),
  )
  let longest = 0
  for (const day of days) {
    if (days.has(day - 1)) continue
    let length = 1
    while (days.has(day + length)) length += 1
    longest = Math.max(longest, length)
  }
  return longest
}

/** The median of twenty tasks took at most half of the time allowed. */
function isFast(approved: readonly Judged[]): boolean {
  const shares = approved
    .flatMap(({ accepted_at, submitted_at, expires_at }) =>
      submitted_at === null
        ? []
        : (submitted_at.getTime() - accepted_at.getTime()) /
          (expires_at.getTime() - accepted_at.getTime()),
    )
    .sort((a, b) => a - b)
  return shares.length === 20 && (shares[9]! + shares[10]!) / 2 <= 0.5
}
