/** Formats money, times and counts for the desktop apps, which are in English only. */
const LOCALE = 'en-US'
const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

const dollars = new Intl.NumberFormat(LOCALE, { style: 'currency', currency: 'USD' })
const wholeDollars = new Intl.NumberFormat(LOCALE, {
  style: 'currency',
  currency: 'USD',
  maximumFractionDigits: 0,
})
const numbers = new Intl.NumberFormat(LOCALE, { maximumFractionDigits: 1 })
const percents = new Intl.NumberFormat(LOCALE, { style: 'percent', maximumFractionDigits: 1 })
const days = new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short' })
const moments = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'medium' })
const minutes = new Intl.DateTimeFormat(LOCALE, { dateStyle: 'medium', timeStyle: 'short' })
const clocks = new Intl.DateTimeFormat(LOCALE, {
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
})

export const money = (cents: number) => dollars.format(cents / 100)
/** For chart axes, where cents are noise. */
export const moneyShort = (cents: number) => wholeDollars.format(cents / 100)
export const signedMoney = (cents: number) => (cents > 0 ? `+${money(cents)}` : money(cents))
export const count = (value: number) => numbers.format(value)
export const percent = (share: number) => percents.format(share)
export const moment = (iso: string) => moments.format(new Date(iso))
/** For future times, where seconds are noise. */
export const minute = (iso: string) => minutes.format(new Date(iso))
export const clockTime = (iso: string) => clocks.format(new Date(iso))
export const day = (iso: string) => days.format(new Date(iso))
/** Days in the API are in UTC, so format them in UTC, not in the reader's time zone. */
export const utcDay = (isoDay: string) =>
  new Intl.DateTimeFormat(LOCALE, { day: 'numeric', month: 'short', timeZone: 'UTC' }).format(
    new Date(`${isoDay}T00:00:00Z`),
  )

/** `1 min 20 s`, `3 h`, `2 d 4 h`: at most two units. */
export function span(seconds: number): string {
  const whole = Math.round(Math.abs(seconds))
  const parts = [
    [Math.floor(whole / DAY), 'd'],
    [Math.floor((whole % DAY) / HOUR), 'h'],
    [Math.floor((whole % HOUR) / MINUTE), 'min'],
    [whole % MINUTE, 's'],
  ] as const
  const first = parts.findIndex(([value]) => value > 0)
  if (first === -1) return '0 s'
  return parts
    .slice(first, first + 2)
    .filter(([value]) => value > 0)
    .map(([value, unit]) => `${value} ${unit}`)
    .join(' ')
}

/** `4 min ago`, `in 2 h`, `now`. */
export function ago(iso: string, now: number): string {
  const seconds = (Date.parse(iso) - now) / 1000
  if (Math.abs(seconds) < 10) return 'now'
  const [size, unit] =
    Math.abs(seconds) < MINUTE
      ? ([1, 's'] as const)
      : Math.abs(seconds) < HOUR
        ? ([MINUTE, 'min'] as const)
        : Math.abs(seconds) < 2 * DAY
          ? ([HOUR, 'h'] as const)
          : ([DAY, 'd'] as const)
  const value = `${Math.floor(Math.abs(seconds) / size)} ${unit}`
  return seconds < 0 ? `${value} ago` : `in ${value}`
}

export const plural = (value: number, one: string, many = `${one}s`) =>
  `${count(value)} ${value === 1 ? one : many}`
