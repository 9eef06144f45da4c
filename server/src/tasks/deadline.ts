import { z } from 'zod'
import type { Warn } from '../kit/endpoint.ts'
import { invalidField } from '../kit/errors.ts'
import { named } from '../kit/named.ts'

export const URGENCIES = ['instant', 'urgent', 'standard', 'flex', 'scheduled'] as const
export const Urgency = named('Urgency', z.enum(URGENCIES))
export type Urgency = (typeof URGENCIES)[number]

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR
const UNIT = { m: MINUTE, h: HOUR, d: DAY }

/** How long a task stays open if the agent sets no deadline. */
const DEFAULT_MS: Record<Urgency, number> = {
  instant: HOUR,
  urgent: DAY,
  standard: 7 * DAY,
  flex: 30 * DAY,
  scheduled: 30 * DAY,
}
const LONGEST_MS = 90 * DAY
/** Accepts the formats that Python, Go, PHP and databases print. The time zone is optional. */
const ISO =
  /^(\d{4}-\d\d-\d\d)(?:[Tt ](\d\d:\d\d)(:\d\d)?([.,]\d+)? ?(?:([Zz]|UTC)|([+-]\d\d)(?::?(\d\d))?(?: UTC)?)?)?$/

/**
 * Returns the time at which a task ends: `30m`, `2h`, `3d` from now, or an ISO 8601 time in the future. A deadline more
 * than 90 days ahead is clamped to 90 days, with a warning.
 */
export function resolveDeadline(
  text: string | undefined,
  {
    urgency,
    windowEnd,
    now,
    warn,
  }: { urgency: Urgency; windowEnd: Date | undefined; now: Date; warn: Warn },
): Date {
  const latestMs = now.getTime() + LONGEST_MS
  if (text === undefined) {
    const usual = now.getTime() + DEFAULT_MS[urgency]
    if (windowEnd !== undefined && windowEnd.getTime() > latestMs)
      throw invalidField('scheduled_at', 'must be at most 90 days ahead')
    // A scheduled task stays open at least until its window ends.
    return new Date(Math.max(usual, windowEnd?.getTime() ?? 0))
  }
  const duration = durationMs(text.toLowerCase().replaceAll(' ', ''))
  const deadline =
    duration === undefined
      ? readTime('deadline', text, { now, warn })
      : new Date(now.getTime() + duration)
  if (deadline === undefined)
    throw invalidField('deadline', 'must be a duration such as 30m, 2h or 3d, or an ISO 8601 time')
  if (deadline <= now) throw invalidField('deadline', 'must be in the future')
  if (deadline.getTime() <= latestMs) return deadline
  warn({
    code: 'deadline_clamped',
    path: 'deadline',
    message: 'deadline is more than 90 days ahead; the task ends after 90 days',
  })
  return new Date(latestMs)
}

/**
 * Parses an ISO 8601 time. Without a time zone, it assumes UTC and warns about that. A bare date means the start of
 * that day, except for today's date: its start has already passed, so it means the end of the day.
 */
export function readTime(
  path: string,
  text: string,
  { now, warn }: { now: Date; warn: Warn },
): Date | undefined {
  const [, day, minute = '00:00', second = ':00', fraction = '', utc, hours, minutes = '00'] =
    ISO.exec(text.trim()) ?? []
  // Date.parse turns February 30 into March 2.
  if (day === undefined || !new Date(day).toJSON()?.startsWith(day)) return undefined
  const isToday = text.trim() === now.toISOString().slice(0, 10)
  const clock = isToday ? '23:59:59.999' : `${minute}${second}${fraction.replace(',', '.')}`
  const zone = hours === undefined ? 'Z' : `${hours}:${minutes}`
  const time = new Date(`${day}T${clock}${zone}`)
  if (Number.isNaN(time.getTime())) return undefined
  if (utc === undefined && hours === undefined)
    warn({
      code: 'time_zone_assumed',
      path,
      message: `${path} has no time zone; interpreted as UTC: ${time.toISOString()}`,
    })
  return time
}

/** `<n>m`, `<n>h`, `<n>d` in milliseconds. */
export function durationMs(text: string): number | undefined {
  const match = /^(\d{1,7})([mhd])$/.exec(text)
  return match === null ? undefined : Number(match[1]) * UNIT[match[2] as keyof typeof UNIT]
}
