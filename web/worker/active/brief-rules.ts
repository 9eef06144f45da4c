/** Reads a task's brief for display to the worker. Pure rules. */
import { textIn } from '../brief/read-brief.ts'
import type { Work } from './queries.ts'

type Task = Work['task']

export const PHOTOS_MAX = 5
const TITLE_MAX = 90

/** The task's title, or the first sentence of its description. */
export function titleOf({ title, description }: Pick<Task, 'title' | 'description'>): string {
  if (title !== null) return title
  const sentence = /^.+?(?:[.!?…](?=\s|$)|\n|$)/s.exec(description.trim())?.[0].trim() ?? ''
  if (sentence.length <= TITLE_MAX) return sentence
  const word = sentence.slice(0, TITLE_MAX).lastIndexOf(' ')
  return `${sentence.slice(0, word > TITLE_MAX / 2 ? word : TITLE_MAX - 1).trimEnd()}…`
}

export interface PlaceOf {
  label: string | null
  point: { lat: number; lng: number } | null
}

export function placeOf({ location, area }: Pick<Task, 'location' | 'area'>): PlaceOf | null {
  if (location === null) return area === null ? null : { label: area, point: null }
  if (typeof location === 'string') return { label: location, point: null }
  return {
    label: location.address ?? area,
    point: { lat: location.lat, lng: location.lng },
  }
}

/** A link to the phone's map app. Opened by a tap only. */
export function mapLink({ label, point }: PlaceOf, userAgent: string): string {
  const at = point === null ? null : `${point.lat},${point.lng}`
  const name = encodeURIComponent(label ?? '')
  if (/iPhone|iPad|Macintosh/.test(userAgent))
    return `https://maps.apple.com/?q=${name || at}${at === null ? '' : `&ll=${at}`}`
  if (/Android/.test(userAgent))
    return at === null ? `geo:0,0?q=${name}` : `geo:${at}?q=${at}${name && `(${name})`}`
  return point === null
    ? `https://www.openstreetmap.org/search?query=${name}`
    : `https://www.openstreetmap.org/?mlat=${point.lat}&mlon=${point.lng}#map=17/${point.lat}/${point.lng}`
}

/** The number to call, for tasks that are a call. */
export const numberOf = ({ type, context }: Pick<Task, 'type' | 'context'>): string | null =>
  type === 'voice_proxy' ? textIn(context, 'number') : null

/** With the agent's own spaces, if it wrote the number in international form. */
export function shownNumber({ context }: Pick<Task, 'context'>, number: string): string {
  const written = textIn(context, 'number_written')
  return written !== null && digitsOf(written) === digitsOf(number) ? written.trim() : number
}
const digitsOf = (number: string) => number.replaceAll(/[^\d+]/g, '')

export interface Person {
  name: string | null
  contact: string | null
  channel: string | null
}

/** The person to talk to, for tasks that ask for a conversation. */
export function personOf({ type, context }: Pick<Task, 'type' | 'context'>): Person | null {
  if (type !== 'empathy_escalation') return null
  const person = (context?.person ?? {}) as Record<string, unknown>
  return {
    name: textIn(person, 'name'),
    contact: textIn(person, 'contact'),
    channel: textIn(person, 'channel'),
  }
}

/**
 * A `tel:` link, or null if it isn't a phone number: `… 42` is the end of a hidden number. An extension is dialed after
 * a pause; keys such as * and # are dialed, too. Contacts may be any text, so fewer than five digits don't count as a
 * number.
 */
export function telLink(number: string | null, { digitsMin = 5 } = {}): string | null {
  if (number === null || number.startsWith('…')) return null
  const [, main, extension] = /^(.*?)(?: x(\d+))?$/.exec(number)!
  const dialed = main!.replaceAll(/[^\d+*#]/g, '')
  if (dialed.replaceAll(/\D/g, '').length < digitsMin) return null
  return `tel:${dialed.replaceAll('#', '%23')}${extension === undefined ? '' : `,${extension}`}`
}

/** Whether it is not the time to call, in the time zone of the number. */
export function isQuiet(
  { time_zone: timeZone, from, until }: { time_zone: string; from: number; until: number },
  now: number,
): boolean {
  const clock = new Intl.DateTimeFormat('en', { timeZone, hour: 'numeric', hourCycle: 'h23' })
  const hour = Number(clock.format(now))
  return hour < from || hour >= until
}
