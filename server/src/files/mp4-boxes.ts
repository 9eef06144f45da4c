/** Boxes of MP4: each has a length, a four-letter name and a body, which may contain boxes (ISO/IEC 14496-12). */
import { FileRefused } from './refused.ts'

export interface Box {
  name: string
  start: number
  body: number
  end: number
}

const BOXES_MAX = 20_000

export type ReadBoxes = (from: number, to: number) => Box[]

/** Returns a function that reads sibling boxes, which must be contiguous. It limits the boxes of the whole file. */
export function boxReader(bytes: Buffer): ReadBoxes {
  const known = new Map<string, Box[]>()
  let count = 0
  return (from, to) => {
    const key = `${from}-${to}`
    const boxes: Box[] = []
    const earlier = known.get(key)
    if (earlier) return earlier
    known.set(key, boxes)
    for (let start = from; start < to; ) {
      count += 1
      if (count > BOXES_MAX || to - start < 8) throw damaged()
      const short = bytes.readUInt32BE(start)
      const isLong = short === 1
      const body = start + (isLong ? 16 : 8)
      const length = isLong ? Number(bytes.readBigUInt64BE(start + 8)) : short
      // A length of 0 means "to the end" and is allowed only for the last box of the file.
      const end = length === 0 && to === bytes.length ? to : start + length
      if (end < body || end > to) throw damaged()
      boxes.push({ name: bytes.toString('latin1', start + 4, start + 8), start, body, end })
      start = end
    }
    return boxes
  }
}

/** The only box of this name; undefined if there is none. */
export function only(boxes: Box[], name: string): Box | undefined {
  const found = boxes.filter((box) => box.name === name)
  if (found.length > 1) throw damaged()
  return found[0]
}

export const damaged = () => new FileRefused('is damaged: record it again')
