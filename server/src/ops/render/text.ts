/** Text for a terminal, shared by the commands. */
import { ageOf, plain, section } from '../../kit/words.ts'
import type { Wait } from '../look-up.ts'

/** `2026-11-16 05:47`, in UTC. */
export const minute = (at: Date) => at.toISOString().slice(0, 16).replace('T', ' ')

export const day = (at: Date) => at.toISOString().slice(0, 10)

/** Facts in two aligned columns; a null is left out. */
export function facts(rows: [label: string, value: string | null][]): string[] {
  const shown = rows.filter((row): row is [string, string] => row[1] !== null)
  const width = Math.max(...shown.map(([label]) => label.length)) + 2
  return shown.map(([label, value]) => `${label.padEnd(width)}${plain(value)}`)
}

export function waits(rows: Wait[], now: Date): string[] {
  return section(
    'Waiting for',
    rows.flatMap(({ what, until, next }) => [
      plain(what),
      ...(until === null ? [] : [`  until: ${dueIn(until, now)}`]),
      ...(next === null ? [] : [`  next:  ${next}`]),
    ]),
  )
}

/** `2026-11-16 05:47 UTC, in 3 h`. */
export const dueIn = (at: Date, now: Date) => `${minute(at)} UTC, ${distance(at, now)}`

const distance = (at: Date, now: Date) =>
  at <= now
    ? `${ageOf(now.getTime() - at.getTime())} ago`
    : `in ${ageOf(at.getTime() - now.getTime())}`
