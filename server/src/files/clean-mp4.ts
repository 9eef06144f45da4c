/** Cleans MP4 and M4A: nested boxes, each with a length and a four-letter name (ISO/IEC 14496-12). */
import type { Cleaned, Evidence } from './clean-image.ts'
import { FileRefused } from './refused.ts'

const CONTAINERS = ['moov', 'trak', 'mdia', 'minf', 'stbl', 'edts', 'mvex', 'moof', 'traf', 'mfra']
/** Boxes where cameras and editors write location, names, comments and covers, and boxes without meaning. */
const BLANKED = ['udta', 'meta', 'uuid', 'free', 'skip', 'wide', 'pdin', 'xml ', 'bxml', 'emsg']
/** The only boxes allowed at the top level. */
const TOP = ['ftyp', 'styp', 'moov', 'moof', 'mdat', 'sidx', 'ssix', 'mfra', 'prft', ...BLANKED]
const BOXES_MAX = 20_000
const DEPTH_MAX = 8
const SECONDS_1904_TO_1970 = 2_082_844_800

interface Box {
  name: string
  start: number
  body: number
  end: number
}

interface Found {
  boxes: number
  handlers: string[]
  tracks: number
  hasMedia: boolean
  evidence: Evidence
}

export function cleanMp4(bytes: Buffer): Cleaned {
  const found: Found = { boxes: 0, handlers: [], tracks: 0, hasMedia: false, evidence: {} }
  const top = boxesIn(bytes, 0, bytes.length, found)
  if (top[0]?.name !== 'ftyp' || !top.some(({ name }) => name === 'moov')) throw damaged()
  for (const box of top) {
    if (!TOP.includes(box.name)) throw damaged()
    visit(bytes, box, found, 0)
  }
  if (!found.hasMedia || found.handlers.length !== found.tracks) throw damaged()
  // Refuse data tracks such as GPS positions: if we removed only their index, their samples would remain in `mdat`.
  if (found.handlers.some((handler) => !['vide', 'soun'].includes(handler)))
    throw new FileRefused('holds a data track besides picture and sound: record it without one')
  const kind = found.handlers.includes('vide') ? 'video' : 'audio'
  if (found.tracks === 0) throw damaged()
  return { bytes, kind, content_type: `${kind}/mp4`, evidence: found.evidence }
}

function visit(bytes: Buffer, box: Box, found: Found, depth: number): void {
  if (BLANKED.includes(box.name)) {
    if (box.name === 'udta') Object.assign(found.evidence, readPlace(bytes, box))
    bytes.write('free', box.start + 4, 'latin1')
    bytes.fill(0, box.body, box.end)
    return
  }
  if (box.name === 'mdat') found.hasMedia = true
  if (box.name === 'trak') found.tracks += 1
  if (box.name === 'hdlr') readHandler(bytes, box, found)
  if (box.name === 'mvhd') Object.assign(found.evidence, readTimes(bytes, box))
  if (!CONTAINERS.includes(box.name)) return
  if (depth === DEPTH_MAX) throw damaged()
  for (const child of boxesIn(bytes, box.body, box.end, found))
    visit(bytes, child, found, depth + 1)
}

/** Reads sibling boxes. They must be contiguous, and the last one must end where its container ends. */
function boxesIn(bytes: Buffer, from: number, to: number, found: Found): Box[] {
  const boxes: Box[] = []
  for (let start = from; start < to; ) {
    found.boxes += 1
    if (found.boxes > BOXES_MAX || to - start < 8) throw damaged()
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

/** Reads the kind of a track and blanks its human-readable name. */
function readHandler(bytes: Buffer, { body, end }: Box, found: Found): void {
  if (end - body < 24) throw damaged()
  found.handlers.push(bytes.toString('latin1', body + 8, body + 12))
  bytes.fill(0, body + 24, end)
}

function readTimes(bytes: Buffer, { body, end }: Box): Evidence {
  if (end - body < 100) throw damaged()
  const isLong = bytes[body] === 1
  const created = isLong ? Number(bytes.readBigUInt64BE(body + 4)) : bytes.readUInt32BE(body + 4)
  const scale = bytes.readUInt32BE(body + (isLong ? 20 : 12))
  const duration = isLong ? Number(bytes.readBigUInt64BE(body + 24)) : bytes.readUInt32BE(body + 16)
  const seconds = created - SECONDS_1904_TO_1970
  const isKnown = seconds > 631_152_000 && seconds < 7_258_118_400
  const isLasting = scale > 0 && duration > 0 && duration / scale < 864_000
  return {
    ...(isKnown ? { taken_at: new Date(seconds * 1000).toISOString() } : {}),
    ...(isLasting ? { duration_s: Math.round((duration / scale) * 10) / 10 } : {}),
  }
}

/** Parses `©xyz` as written by Android and Apple: +37.7749-122.4194/ */
function readPlace(bytes: Buffer, { body, end }: Box): Evidence {
  const text = bytes.toString('latin1', body, Math.min(end, body + 4096))
  const found = /\xa9xyz....([+-]\d{1,2}\.\d+)([+-]\d{1,3}\.\d+)/s.exec(text)
  if (found === null) return {}
  const [lat, lng] = [Number(found[1]), Number(found[2])]
  return Math.abs(lat) <= 90 && Math.abs(lng) <= 180 ? { lat, lng } : {}
}

const damaged = () => new FileRefused('is damaged: record it again')
