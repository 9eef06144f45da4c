/** When a push may come. Pure rules. */
import type { Quiet } from '../workers/notify.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** When the quiet hours end in which this moment lies; undefined where it lies in none. */
export function quietUntil({ from, to, tz }: Quiet, at: Date): Date | undefined {
  const [begin, end, now] = [minutesOf(from), minutesOf(to), minutesAt(at, tz)]
  const isQuiet = begin <= end ? begin <= now && now < end : begin <= now || now < end
  if (!isQuiet) return undefined
  const ahead = (end - now + DAY_MINUTES) % DAY_MINUTES
  const wholeMinute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  const guess = new Date(wholeMinute + ahead * MINUTE_MS)
  // In between the clocks may have been changed.
  const late = (minutesAt(guess, tz) - end + 1.5 * DAY_MINUTES) % DAY_MINUTES
  return new Date(guess.getTime() - (late - DAY_MINUTES / 2) * MINUTE_MS)
}

/**
 * When to push what is to be pushed at this moment: after the quiet hours, unless it is about the work in hand, or
 * would be of no use by then.
 */
export function pushTime(
  at: Date,
  {
    quiet,
    isPressing,
    until,
  }: { quiet: Quiet | null; isPressing: boolean; until: Date | null | undefined },
): Date {
  const end = quiet === null || isPressing ? undefined : quietUntil(quiet, at)
  if (end === undefined) return at
  return until && until <= end ? at : end
}

const minutesOf = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))

function minutesAt(at: Date, timeZone: string): number {
  const format = new Intl.DateTimeFormat('en-GB', { timeZone, timeStyle: 'short' })
  return minutesOf(format.format(at))
}
