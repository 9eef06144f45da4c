/** Formats amounts, times and states. */

/** Formats cents as dollars: 123456 is "$1,234.56", and -50 is "−$0.50". */
export function dollars(cents: number): string {
  const [whole, part] = [Math.trunc(Math.abs(cents) / 100), Math.abs(cents) % 100]
  const sign = cents < 0 ? '−' : ''
  return `${sign}$${whole.toLocaleString('en-US')}.${String(part).padStart(2, '0')}`
}

/** Parses a typed amount into cents, without floating point; undefined if it isn't an amount. */
export function centsOf(typed: string): number | undefined {
  const match = /^\$?(\d{1,3}(?:,\d{3})+|\d{1,9})(?:\.(\d{1,2}))?$/.exec(typed.trim())
  if (!match) return undefined
  return Number(match[1]!.replaceAll(',', '')) * 100 + Number((match[2] ?? '').padEnd(2, '0'))
}

const DAY = new Intl.DateTimeFormat('en-US', { dateStyle: 'medium', timeZone: 'UTC' })
const MOMENT = new Intl.DateTimeFormat('en-US', {
  month: 'short',
  day: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  second: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
})

/** "Nov 15, 2026" */
export const day = (at: Date): string => DAY.format(at)

/** "Nov 15, 08:21:09" in UTC */
export const moment = (at: Date): string => MOMENT.format(at)

/** The API uses Unix seconds (v1) or ISO 8601 (v2). */
export const dateOf = (at: number | string): Date =>
  new Date(typeof at === 'number' ? at * 1000 : at)

/** "needs_information" as "Needs information" */
export function words(name: string): string {
  const text = name.replaceAll(/[_.]/g, ' ')
  return text.charAt(0).toUpperCase() + text.slice(1)
}

const ID_SHOWN = 20

/** Shortens an id to its beginning and end, which are enough to tell ids apart. */
export const shortId = (id: string): string =>
  id.length <= ID_SHOWN ? id : `${id.slice(0, ID_SHOWN - 7)}…${id.slice(-6)}`
