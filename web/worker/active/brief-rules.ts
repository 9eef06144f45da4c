/** Reads a task's brief for display to the worker. Pure rules. */
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

const ITEM = /^\s*(?:[-*•]|\d{1,2}[.)])\s+(.+)$/

/** List items become steps, the rest paragraphs. A title taken from the description isn't repeated. */
export function readDescription({ title, description }: Pick<Task, 'title' | 'description'>): {
  paragraphs: string[]
  steps: string[]
} {
  const made = title === null ? titleOf({ title, description }) : ''
  const rest =
    description.trim().startsWith(made) && made !== ''
      ? description.trim().slice(made.length)
      : description
  const lines = rest.split('\n').map((line) => line.trim())
  const steps = lines.flatMap((line) => ITEM.exec(line)?.[1] ?? [])
  const paragraphs = lines.filter((line) => line !== '' && !ITEM.test(line))
  return { paragraphs, steps }
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

export interface Call {
  number: string | null
  script: string | null
}

export function callOf({ type, context }: Pick<Task, 'type' | 'context'>): Call | null {
  if (type !== 'voice_proxy') return null
  return { number: textIn(context, 'number'), script: textIn(context, 'script') }
}

export interface Person {
  name: string | null
  contact: string | null
  channel: string | null
  tone: string | null
}

/** The person to talk to, for tasks that ask for a conversation. */
export function personOf({ type, context }: Pick<Task, 'type' | 'context'>): Person | null {
  if (type !== 'empathy_escalation') return null
  const person = (context?.person ?? {}) as Record<string, unknown>
  return {
    name: textIn(person, 'name'),
    contact: textIn(person, 'contact'),
    channel: textIn(person, 'channel'),
    tone: textIn(context, 'tone'),
  }
}

/** The page to look at, if it is a web address. */
export function pageOf({ context }: Pick<Task, 'context'>): string | null {
  const url = textIn(context, 'url')
  return url !== null && /^https?:\/\//i.test(url) ? url : null
}

function textIn(from: Record<string, unknown> | null | undefined, name: string): string | null {
  const value = from?.[name]
  return typeof value === 'string' && value.trim() !== '' ? value : null
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
