/** Formats and parses money, durations and states for people. */
import { usage } from './exit.ts'

const UNITS = { s: 1, m: 60, h: 3600, d: 86_400 }
const SPAN = /^(\d{1,6})([smhd])$/
/** Width of the longest event type, so that the columns after it line up. */
export const EVENT_WIDTH = 'task.revision_requested'.length

/** `$1,234.50`. */
export function dollars(cents: number): string {
  const whole = Math.floor(Math.abs(cents) / 100).toLocaleString('en-US')
  const rest = String(Math.abs(cents) % 100).padStart(2, '0')
  return `${cents < 0 ? '-' : ''}$${whole}.${rest}`
}

/**
 * Accepts `5.00`, `$5` or `500c`. A bare 500 is rejected: someone who meant cents would lock 100 times as much money.
 */
export function readCents(text: string, option: string): number {
  const inDollars = /^\$(\d{1,6})$|^\$?(\d{1,6}\.\d\d)$/.exec(text)
  if (inDollars) return Math.round(Number(inDollars[1] ?? inDollars[2]) * 100)
  const inCents = /^(\d{1,8})c$/.exec(text)
  if (inCents) return Number(inCents[1])
  throw usage(
    `${option} ${text} is not a valid amount`,
    `Use dollars (${option} 5.00) or cents (${option} 500c).`,
  )
}

export function readCount(text: string, option: string): number {
  if (/^[1-9]\d{0,5}$/.test(text)) return Number(text)
  throw usage(`${option} must be a whole number above 0, not ${text}`)
}

export const isSpan = (text: string) => SPAN.test(text)

/** `90s`, `30m`, `2h`, `1d`. */
export function readSpanMs(text: string, option: string): number {
  const [, count, unit] = SPAN.exec(text) ?? []
  if (count === undefined)
    throw usage(`${option} ${text} is not a valid duration`, `Use 90s, 30m, 2h or 1d.`)
  return Number(count) * UNITS[unit as keyof typeof UNITS] * 1000
}

/** `8 s`, `3 min`, `2 h 5 min`, `4 d`. */
export function span(ms: number): string {
  const seconds = Math.max(0, Math.round(ms / 1000))
  if (seconds < 60) return `${seconds} s`
  const minutes = Math.floor(seconds / 60)
  if (minutes < 60) return `${minutes} min`
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `${Math.floor(hours / 24)} d`
  return minutes % 60 === 0 ? `${hours} h` : `${hours} h ${minutes % 60} min`
}

export function readJson(text: string, option: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    throw usage(
      `${option} is not valid JSON`,
      `Quote it for your shell: ${option} '{"answer": true}', ${option} true, ${option} '"open"'.`,
    )
  }
}

/** Quotes text as one shell word, whatever it contains. */
export const shellWord = (text: string) =>
  /^[\w.,:/@+-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`

export function readList(text: string): string[] {
  return text
    .split(',')
    .map((one) => one.trim())
    .filter((one) => one !== '')
}

export const plural = (count: number, one: string, many = `${one}s`) =>
  `${count} ${count === 1 ? one : many}`
