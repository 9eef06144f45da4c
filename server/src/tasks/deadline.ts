import { invalidField } from '../kit/errors.ts'

export const URGENCIES = ['instant', 'urgent', 'standard', 'flex', 'scheduled'] as const
export type Urgency = (typeof URGENCIES)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNIT = { m: MINUTE, h: HOUR, d: DAY }

/** How long a task is open when the agent names no deadline. */
const DEFAULT_MS: Record<Urgency, number> = {
  instant: HOUR,
  urgent: DAY,
  standard: 7 * DAY,
  flex: 30 * DAY,
  scheduled: 30 * DAY,
}
const LONGEST_MS = 90 * DAY
const ISO = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:?\d\d)?)?$/

/** `30m`, `2h`, `3d` from now, or an ISO 8601 time that is still to come, at most 90 days ahead. */
export function resolveDeadline(
  text: string | undefined,
  { urgency, windowEnd, now }: { urgency: Urgency; windowEnd: Date | undefined; now: Date },
): Date {
  if (text === undefined) {
    const usual = now.getTime() + DEFAULT_MS[urgency]
    if (windowEnd !== undefined && windowEnd.getTime() > now.getTime() + LONGEST_MS)
      throw invalidField('scheduled_at', 'must be at most 90 days ahead')
    // A scheduled task is open at least until its window has passed.
    return new Date(Math.max(usual, windowEnd?.getTime() ?? 0))
  }
  const deadline = new Date(now.getTime() + (durationMs(text) ?? isoMs(text) - now.getTime()))
  if (Number.isNaN(deadline.getTime()))
    throw invalidField('deadline', 'must be a duration such as 30m, 2h or 3d, or an ISO 8601 time')
  if (deadline <= now) throw invalidField('deadline', 'must be in the future')
  if (deadline.getTime() > now.getTime() + LONGEST_MS)
    throw invalidField('deadline', 'must be at most 90 days ahead')
  return deadline
}

/** A time given without a zone is UTC, as all our times are. */
function isoMs(text: string): number {
  const day = text.slice(0, 10)
  // Date.parse takes the 30th of February for the 2nd of March.
  if (!ISO.test(text) || !new Date(day).toJSON()?.startsWith(day)) return Number.NaN
  return Date.parse(/T.*(Z|[+-]\d\d:?\d\d)$/.test(text) || !text.includes('T') ? text : `${text}Z`)
}

/** `<n>m`, `<n>h`, `<n>d` in milliseconds. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d{1,7})([mhd])$/.exec(text)
  return match === null ? undefined : Number(match[1]) * UNIT[match[2] as keyof typeof UNIT]
}
