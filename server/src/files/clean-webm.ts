/** Cleans WebM: nested elements, each with an id and a length of variable size (RFC 8794, RFC 9559). */
import type { Cleaned, Evidence } from './clean-image.ts'
import { FileRefused } from './refused.ts'

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_TYPE = 0x83
const CLUSTER = 0x1f43b675
const CUES = 0x1c53bb6b
const SEEK_HEAD = 0x114d9b74
const DURATION = 0x4489
const SCALE = 0x2ad7b1
const VOID = 0xec
/** Direct children of a segment without personal data. All others, such as tags and attachments, are blanked. */
const KEPT_IN_SEGMENT = [SEEK_HEAD, INFO, TRACKS, CLUSTER, CUES]
/** Time scale, duration, muxing app and writing app. */
const KEPT_IN_INFO = [SCALE, DURATION, 0x4d80, 0x5741]
/** A track's human-readable name. */
const TRACK_NAME = 0x536e
const ELEMENTS_MAX = 200_000
const UNKNOWN = -1

interface Element {
  id: number
  start: number
  body: number
  /** UNKNOWN for the segment and clusters of a live recording. */
  end: number
}

export function cleanWebm(bytes: Buffer): Cleaned {
  const reader = open(bytes)
  const header = reader.at(0, bytes.length)
  if (header.id !== EBML || header.end === UNKNOWN) throw damaged()
  const docType = reader.within(header).find(({ id }) => id === DOC_TYPE)
  if (docType === undefined || bytes.toString('latin1', docType.body, docType.end) !== 'webm')
    throw new FileRefused('is a Matroska file of another kind than WebM: send a WebM or MP4 video')

  const segment = reader.at(header.end, bytes.length)
  if (segment.id !== SEGMENT) throw damaged()
  // Data after the segment is not part of the recording.
  const whole = segment.end === UNKNOWN ? bytes : bytes.subarray(0, segment.end)

  const evidence: Evidence = {}
  const types: number[] = []
  let hasMedia = false
  for (const element of segmentElements(reader, segment.body, whole.length)) {
    if (element.id === CLUSTER) hasMedia = true
    if (element.id === INFO) Object.assign(evidence, cleanInfo(bytes, reader.within(element)))
    if (element.id === TRACKS)
      for (const track of reader.within(element))
        if (track.id === TRACK) types.push(cleanTrack(bytes, reader.within(track)))
    if (!KEPT_IN_SEGMENT.includes(element.id)) blank(bytes, element)
  }
  if (!hasMedia || types.length === 0) throw damaged()
  if (types.some((type) => type !== 1 && type !== 2))
    throw new FileRefused('holds a data track besides picture and sound: record it without one')
  const kind = types.includes(1) ? 'video' : 'audio'
  return { bytes: whole, kind, content_type: `${kind}/webm`, evidence }
}

function* segmentElements(
  reader: ReturnType<typeof open>,
  from: number,
  to: number,
): Generator<Element> {
  for (let start = from; start < to; ) {
    const element = reader.at(start, to)
    if (element.end === UNKNOWN) {
      if (element.id !== CLUSTER) throw damaged()
      element.end = endOfLiveCluster(reader, element.body, to)
    }
    yield element
    start = element.end
  }
}

/** A live cluster ends at the next sibling element. Siblings have four-byte ids, children of a cluster shorter ones. */
function endOfLiveCluster(reader: ReturnType<typeof open>, from: number, to: number): number {
  let start = from
  while (start < to) {
    const element = reader.at(start, to)
    if (element.id > 0xffffff) break
    if (element.end === UNKNOWN) throw damaged()
    start = element.end
  }
  return start
}

function cleanInfo(bytes: Buffer, elements: Element[]): Evidence {
  const scale = elements.find(({ id }) => id === SCALE)
  const duration = elements.find(({ id }) => id === DURATION)
  const nanoseconds = scale ? bytes.readUIntBE(scale.body, lengthOf(scale, 6)) : 1_000_000
  const ticks =
    duration === undefined
      ? 0
      : lengthOf(duration, 8) === 8
        ? bytes.readDoubleBE(duration.body)
        : bytes.readFloatBE(duration.body)
  for (const element of elements) if (!KEPT_IN_INFO.includes(element.id)) blank(bytes, element)
  const seconds = (ticks * nanoseconds) / 1e9
  return seconds > 0 && seconds < 864_000 ? { duration_s: Math.round(seconds * 10) / 10 } : {}
}

function cleanTrack(bytes: Buffer, elements: Element[]): number {
  const type = elements.find(({ id }) => id === TRACK_TYPE)
  for (const element of elements) if (element.id === TRACK_NAME) blank(bytes, element)
  return type === undefined ? 0 : bytes.readUIntBE(type.body, lengthOf(type, 6))
}

function lengthOf({ body, end }: Element, most: number): number {
  const length = end - body
  if (length < 1 || length > most) throw damaged()
  return length
}

/** Replaces an element with a Void element of the same length. */
function blank(bytes: Buffer, { start, end }: Element): void {
  const length = end - start
  if (length < 2) throw damaged()
  bytes.fill(0, start, end)
  bytes[start] = VOID
  if (length < 9) bytes[start + 1] = 0x80 | (length - 2)
  else {
    bytes[start + 1] = 0x01
    bytes.writeUIntBE(length - 9, start + 3, 6)
  }
}

function open(bytes: Buffer) {
  let count = 0

  function at(start: number, to: number): Element {
    count += 1
    if (count > ELEMENTS_MAX) throw damaged()
    const id = number(start, to, 4, false)
    const size = number(start + id.length, to, 8, true)
    const body = start + id.length + size.length
    const end = size.isUnknown ? UNKNOWN : body + size.value
    if (body > to || end > to) throw damaged()
    return { id: id.value, start, body, end }
  }

  /** Reads a variable-size integer. The leading zero bits give its length; a size of all ones means "unknown". */
  function number(start: number, to: number, most: number, isSize: boolean) {
    const first = start < to ? bytes[start]! : 0
    const length = Math.clz32(first) - 23
    if (first === 0 || length > most || start + length > to) throw damaged()
    let value = isSize ? first & (0xff >> length) : first
    let isUnknown = isSize && value === 0xff >> length
    for (let i = 1; i < length; i += 1) {
      const byte = bytes[start + i]!
      value = value * 256 + byte
      isUnknown &&= byte === 0xff
    }
    return { value, length, isUnknown }
  }

  return {
    at,
    within({ body, end }: Element): Element[] {
      if (end === UNKNOWN) throw damaged()
      const elements: Element[] = []
      for (let start = body; start < end; ) {
        const element = at(start, end)
        if (element.end === UNKNOWN) throw damaged()
        elements.push(element)
        start = element.end
      }
      return elements
    },
  }
}

const damaged = () => new FileRefused('is damaged: record it again')
