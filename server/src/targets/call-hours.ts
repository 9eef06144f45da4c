/** The hours in which a call is made, where the number is. */
import { z } from 'zod'
import type { Warn } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { countryOfNumber } from '../kit/phone-number.ts'
import { zoneOfCountry } from '../places/geocode.ts'
import { findNumber, type TargetedTask } from './find-targets.ts'

const FIRST_HOUR = 8
const LAST_HOUR = 21
const DAY_MINUTES = 1440

export const CallHours = named(
  'CallHours',
  z
    .object({
      time_zone: z.string().describe('Of the number, such as `Europe/Berlin`'),
      from: z.int().describe('Hour of the day there'),
      until: z.int().describe('Hour of the day there'),
    })
    .describe('When whoever is called may be called'),
)

/** Null if the task has no number, or its country has several time zones. */
export function callHoursOf(task: TargetedTask): z.output<typeof CallHours> | null {
  const number = findNumber(task)
  const zone = number === undefined ? undefined : zoneOfNumber(number)
  return zone === undefined ? null : { time_zone: zone, from: FIRST_HOUR, until: LAST_HOUR }
}

function zoneOfNumber(number: string): string | undefined {
  const country = countryOfNumber(number)
  return country && zoneOfCountry(country)
}

/** Warns an agent if its call can only be made at night, where the number is. */
export function warnOfCallHours(
  number: string,
  {
    task: { scheduled_at, deadline },
    now,
    warn,
  }: { task: { scheduled_at: Date | null; deadline: Date }; now: Date; warn: Warn },
): void {
  const zone = zoneOfNumber(number)
  if (zone === undefined) return
  const from = scheduled_at !== null && scheduled_at > now ? scheduled_at : now
  const morning = from.getTime() + 60_000 * minutesToCallHours(from, zone)
  if (morning === from.getTime() || morning < deadline.getTime()) return
  warn({
    code: 'call_hours',
    path: 'number',
    message:
      `The call would be made outside of ${FIRST_HOUR}:00 to ${LAST_HOUR}:00 in the time zone of the number ` +
      `(${zone}). A later deadline lets the worker call during the day`,
  })
}

/** 0 if it is between 8:00 and 21:00 there. */
export function minutesToCallHours(at: Date, zone: string): number {
  const parts = new Intl.DateTimeFormat('en', {
    timeZone: zone,
    hour: 'numeric',
    minute: 'numeric',
    hourCycle: 'h23',
  }).formatToParts(at)
  const part = (type: string) => Number(parts.find((one) => one.type === type)!.value)
  const minutes = 60 * part('hour') + part('minute')
  if (minutes >= 60 * FIRST_HOUR && minutes < 60 * LAST_HOUR) return 0
  return (60 * FIRST_HOUR - minutes + DAY_MINUTES) % DAY_MINUTES
}
