/**
 * Periods of a worker's calendar: today, this week, this month, this year, or any range of days, split into the steps
 * of a chart. Days begin at midnight in the worker's time zone, so a day has 23 or 25 hours when the clocks change.
 * Pure rules.
 */
const HOUR = 3_600_000
const DAY = 24 * HOUR
/** Longer ranges are shown by month. */
const DAYS_SHOWN = 92

export const PERIODS = ['day', 'week', 'month', 'year', 'all'] as const
export type Period = (typeof PERIODS)[number]

/** `end` is exclusive. */
export interface Span {
  start: Date
  end: Date
  steps: { start: Date; label: string }[]
}

type Unit = 'hour' | 'day' | 'month'

/** A calendar day. A month or day out of range overflows into the next, as in `Date.UTC`. */
interface Day {
  year: number
  month: number
  day: number
}

export function isTimeZone(name: string): boolean {
  try {
    // Intl also accepts offsets such as +02:00, but they have no daylight saving time.
    return /^[A-Za-z]/.test(name) && formatOf(name) !== undefined
  } catch {
    return false
  }
}

/** The period that contains `now`; `all` begins with the month of `since`. */
export function spanOf(
  period: Period,
  { tz, now, since }: { tz: string; now: Date; since: Date },
): Span {
  const today = dayOf(now, tz)
  const { year, month, day } = today
  switch (period) {
    case 'day':
      return cut(today, { year, month, day: day + 1 }, 'hour', tz)
    case 'week': {
      const monday = { year, month, day: day - ((weekday(today) + 6) % 7) }
      return cut(monday, { ...monday, day: monday.day + 7 }, 'day', tz)
    }
    case 'month':
      return cut({ year, month, day: 1 }, { year, month: month + 1, day: 1 }, 'day', tz)
    case 'year':
      return cut({ year, month: 1, day: 1 }, { year: year + 1, month: 1, day: 1 }, 'month', tz)
    case 'all':
      return cut({ ...dayOf(since, tz), day: 1 }, { year, month: month + 1, day: 1 }, 'month', tz)
  }
}

/** The days from `from` to `to`, both inclusive, written as `2026-03-29`. */
export function spanBetween({ from, to, tz }: { from: string; to: string; tz: string }): Span {
  const [first, last] = [toDay(from), toDay(to)]
  const days = (asUtc(last) - asUtc(first)) / DAY + 1
  const unit = days === 1 ? 'hour' : days <= DAYS_SHOWN ? 'day' : 'month'
  return cut(first, { ...last, day: last.day + 1 }, unit, tz)
}

/** The calendar date of a moment in a time zone. */
export function dateOf(at: Date, tz: string): string {
  return dateText(dayOf(at, tz))
}

function cut(first: Day, after: Day, unit: Unit, tz: string): Span {
  const [start, end] = [startOfDay(first, tz), startOfDay(after, tz)]
  const steps: Span['steps'] = []
  if (unit === 'hour')
    for (let at = start.getTime(); at < end.getTime(); at += HOUR)
      steps.push({ start: new Date(at), label: hourText(new Date(at), tz) })
  else
    for (let day = first; asUtc(day) < asUtc(after); day = nextStep(day, unit))
      steps.push({
        start: startOfDay(day, tz),
        label: unit === 'day' ? dateText(day) : dateText(day).slice(0, 7),
      })
  return { start, end, steps }
}

const nextStep = ({ year, month, day }: Day, unit: 'day' | 'month'): Day =>
  unit === 'day' ? { year, month, day: day + 1 } : { year, month: month + 1, day: 1 }

const asUtc = ({ year, month, day }: Day) => Date.UTC(year, month - 1, day)
const weekday = (day: Day) => new Date(asUtc(day)).getUTCDay()
const dateText = (day: Day) => new Date(asUtc(day)).toISOString().slice(0, 10)

function toDay(text: string): Day {
  const [year = 0, month = 0, day = 0] = text.split('-').map(Number)
  return { year, month, day }
}

function dayOf(at: Date, tz: string): Day {
  return toDay(new Date(at.getTime() + offsetMs(at, tz)).toISOString().slice(0, 10))
}

/** The first moment of a day in a time zone. */
function startOfDay(day: Day, tz: string): Date {
  const wall = asUtc(day)
  // Clocks change at most once in these two days, so one of the two offsets is right. If midnight occurs twice, use
  // the first; if the clocks skip it, the day begins with the jump.
  const [before, after] = [new Date(wall - DAY), new Date(wall + DAY)].map((at) => offsetMs(at, tz))
  const candidates = [new Date(wall - before!), new Date(wall - after!)]
  const valid = candidates.filter((at) => at.getTime() + offsetMs(at, tz) === wall)
  return valid.sort((a, b) => a.getTime() - b.getTime())[0] ?? candidates[0]!
}

/** `2026-10-25T02:00+02:00`: includes the offset, because an hour can occur twice. */
function hourText(at: Date, tz: string): string {
  const offset = offsetMs(at, tz)
  const wall = new Date(at.getTime() + offset).toISOString().slice(0, 16)
  const size = new Date(Math.abs(offset)).toISOString().slice(11, 16)
  return `${wall}${offset < 0 ? '-' : '+'}${size}`
}

/** The UTC offset of a time zone at a moment. */
function offsetMs(at: Date, tz: string): number {
  const parts = Object.fromEntries(
    formatOf(tz)
      .formatToParts(at)
      .map(({ type, value }) => [type, Number(value)]),
  ) as Record<'year' | 'month' | 'day' | 'hour' | 'minute' | 'second', number>
  const { year, month, day, hour, minute, second } = parts
  const wall = Date.UTC(year, month - 1, day, hour, minute, second)
  return wall - Math.floor(at.getTime() / 1000) * 1000
}

/** Creating a formatter costs a hundred times as much as using it. Lowercase keys keep this cache bounded. */
const formats = new Map<string, Intl.DateTimeFormat>()

function formatOf(tz: string): Intl.DateTimeFormat {
  const known = formats.get(tz.toLowerCase())
  if (known) return known
  const format = new Intl.DateTimeFormat('en-US', {
    timeZone: tz,
    hourCycle: 'h23',
    year: 'numeric',
    month: 'numeric',
    day: 'numeric',
    hour: 'numeric',
    minute: 'numeric',
    second: 'numeric',
  })
  formats.set(tz.toLowerCase(), format)
  return format
}
