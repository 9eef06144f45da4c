/** When a push may be sent. Pure rules. */
import type { Quiet } from '../workers/notify.ts'

const MINUTE_MS = 60_000
const DAY_MINUTES = 1440

/** The end of the quiet hours that contain this moment; undefined if none do. */
export function quietUntil({ from, to, tz }: Quiet, at: Date): Date | undefined {
  const [begin, end, now] = [minutesOf(from), minutesOf(to), minutesAt(at, tz)]
  const isQuiet = begin <= end ? begin <= now && now < end : begin <= now || now < end
  if (!isQuiet) return undefined
  const ahead = (end - now + DAY_MINUTES) % DAY_MINUTES
  const wholeMinute = Math.floor(at.getTime() / MINUTE_MS) * MINUTE_MS
  const guess = new Date(wholeMinute + ahead * MINUTE_MS)
  // Correct for a daylight saving change in between.
  const late = (minutesAt(guess, tz) - end + 1.5 * DAY_MINUTES) % DAY_MINUTES
  return new Date(guess.getTime() - (late - DAY_MINUTES / 2) * MINUTE_MS)
}

/**
 * When to send a push that is due now: after the quiet hours, unless it is about current work or would be useless by
 * then.
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
