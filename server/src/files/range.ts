import { rangeNotSatisfiable } from './errors.ts'
import type { Range } from './store.ts'

/** Parses a single byte range. Returns undefined, for the whole file, if there are several or we can't parse it. */
export function readRange(header: string | undefined, bytes: number): Range | undefined {
  const found = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(header ?? '')
  if (found === null || (found[1] === '' && found[2] === '')) return undefined
  const [first, last] = [found[1]!, found[2]!]
  const start = first === '' ? Math.max(0, bytes - Number(last)) : Number(first)
  const end = first === '' || last === '' ? bytes - 1 : Math.min(Number(last), bytes - 1)
  if (start > end) throw rangeNotSatisfiable({ bytes })
  return { start, end }
}
