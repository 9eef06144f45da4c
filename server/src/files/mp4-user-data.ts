/**
 * Blanks data that cameras and encoders put between pictures of H.264 and H.265: SEI messages of the type "user data
 * unregistered". Car cameras and drones write their position there.
 */
import { type Box, only } from './mp4-boxes.ts'

const USER_DATA = 5
const H264_SEI = [6]
const H265_SEI = [39, 40]

/** How a track is divided into units: each has a length of this many bytes in front of it. */
export interface Units {
  isH265: boolean
  lengthBytes: number
}

/** Undefined for other codecs. `boxes` are those of the first description. */
export function unitsOf(bytes: Buffer, boxes: Box[]): Units | undefined {
  const [h264, h265] = [only(boxes, 'avcC'), only(boxes, 'hvcC')]
  if (h264 && h264.end - h264.body > 4)
    return { isH265: false, lengthBytes: (bytes[h264.body + 4]! & 3) + 1 }
  if (h265 && h265.end - h265.body > 21)
    return { isH265: true, lengthBytes: (bytes[h265.body + 21]! & 3) + 1 }
  return undefined
}

/** Blanks the user data of consecutive samples, in place. */
export function blankUserData(out: Buffer, from: number, to: number, units: Units): void {
  const { isH265, lengthBytes } = units
  for (let at = from; at + lengthBytes < to; ) {
    const start = at + lengthBytes
    const end = start + out.readUIntBE(at, lengthBytes)
    if (end > to) return
    const type = isH265 ? (out[start]! >> 1) & 63 : out[start]! & 31
    if ((isH265 ? H265_SEI : H264_SEI).includes(type))
      blankMessages(out, start + (isH265 ? 2 : 1), end)
    at = end
  }
}

/** Reads messages: a type, a length and a body each. */
function blankMessages(out: Buffer, from: number, to: number): void {
  let at = from
  let zeros = 0
  /** The position of the next byte. A 3 after two zeros is not data: it keeps start codes out of the stream. */
  const next = () => {
    if (zeros >= 2 && out[at] === 3) {
      at += 1
      zeros = 0
    }
    zeros = out[at] === 0 ? zeros + 1 : 0
    at += 1
    return at - 1
  }
  const number = () => {
    let sum = 0
    while (at < to) {
      const byte = out[next()]!
      sum += byte
      if (byte !== 255) break
    }
    return sum
  }
  // The last byte ends the unit.
  while (at < to - 2) {
    const type = number()
    const length = number()
    for (let i = 0; i < length && at < to; i += 1) {
      const position = next()
      // Zeros stay, so that no 3 changes its meaning.
      if (type === USER_DATA && position < to && out[position] !== 0) out[position] = 0xff
    }
  }
}
