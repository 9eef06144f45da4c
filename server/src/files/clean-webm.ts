/**
 * Cleans WebM: nested elements, each with an id and a length of variable size (RFC 8794, RFC 9559). Elements that
 * players don't need become Void elements of the same length, so that every position in the file stays right.
 */
import type { Cleaned, Evidence } from './clean-image.ts'
import { NO_VORBIS_COMMENTS } from './clean-sound.ts'
import { FileRefused } from './refused.ts'

const EBML = 0x1a45dfa3
const DOC_TYPE = 0x4282
const SEGMENT = 0x18538067
const INFO = 0x1549a966
const TRACKS = 0x1654ae6b
const TRACK = 0xae
const TRACK_NUMBER = 0xd7
const TRACK_TYPE = 0x83
const CODEC = 0x86
const CODEC_PRIVATE = 0x63a2
const CLUSTER = 0x1f43b675
const BLOCK_GROUP = 0xa0
const BLOCK = 0xa1
const SIMPLE_BLOCK = 0xa3
const CUES = 0x1c53bb6b
const SEEK_HEAD = 0x114d9b74
const DURATION = 0x4489
const SCALE = 0x2ad7b1
const MUXING_APP = 0x4d80
const WRITING_APP = 0x5741
const VOID = 0xec

/**
 * The elements that are kept, by their parent. All others are blanked: tags, chapters, attachments, titles, dates,
 * checksums, and Void elements, which can contain anything.
 */
const KEPT: Record<number, number[]> = {
  // Versions, maximum lengths, document type.
  [EBML]: [0x4286, 0x42f7, 0x42f2, 0x42f3, DOC_TYPE, 0x4287, 0x4285],
  [SEGMENT]: [SEEK_HEAD, INFO, TRACKS, CLUSTER, CUES],
  [SEEK_HEAD]: [0x4dbb],
  0x4dbb: [0x53ab, 0x53ac],
  [INFO]: [SCALE, DURATION, MUXING_APP, WRITING_APP],
  [TRACKS]: [TRACK],
  [TRACK]: [
    // Number, UID, type, enabled, default, forced, lacing, caches, default durations, scale, maximum addition id.
    TRACK_NUMBER,
    0x73c5,
    TRACK_TYPE,
    0xb9,
    0x88,
    0x55aa,
    0x9c,
    0x6de7,
    0x6df8,
    0x23e383,
    0x234e7a,
    0x23314f,
    // Languages, codec, its configuration, its delay, pre-roll, video, audio.
    0x55ee,
    0x22b59c,
    0x22b59d,
    CODEC,
    CODEC_PRIVATE,
    0xaa,
    0x56aa,
    0x56bb,
    0xe0,
    0xe1,
  ],
  // Interlacing, stereo mode, alpha mode, sizes, cropping, units, aspect ratio, colors, projection.
  0xe0: [
    0x9a, 0x9d, 0x53b8, 0x53c0, 0xb0, 0xba, 0x54aa, 0x54bb, 0x54cc, 0x54dd, 0x54b0, 0x54ba, 0x54b2,
    0x54b3, 0x55b0, 0x7670,
  ],
  0x55b0: [
    0x55b1, 0x55b2, 0x55b3, 0x55b4, 0x55b5, 0x55b6, 0x55b7, 0x55b8, 0x55b9, 0x55ba, 0x55bb, 0x55bc,
    0x55bd, 0x55d0,
  ],
  0x55d0: [0x55d1, 0x55d2, 0x55d3, 0x55d4, 0x55d5, 0x55d6, 0x55d7, 0x55d8, 0x55d9, 0x55da],
  0x7670: [0x7671, 0x7672, 0x7673, 0x7674, 0x7675],
  // Sampling rates, channels, bits.
  0xe1: [0xb5, 0x78b5, 0x9f, 0x6264],
  // Time, position, length of the one before, blocks.
  [CLUSTER]: [0xe7, 0xa7, 0xab, SIMPLE_BLOCK, BLOCK_GROUP],
  // Block, its duration, references, discarded padding, additions (the alpha channel of VP8 and VP9).
  [BLOCK_GROUP]: [BLOCK, 0x9b, 0xfa, 0xfb, 0xfd, 0x75a2, 0x75a1],
  0x75a1: [0xa6],
  0xa6: [0xee, 0xa5],
  [CUES]: [0xbb],
  0xbb: [0xb3, 0xb7],
  0xb7: [0xf7, 0xf1, 0xf0, 0xb2, 0x5378],
}
/** Free text that must be there, so its letters are replaced. */
const TEXTS = [MUXING_APP, WRITING_APP]
/** An hour of picture and sound has about 300,000 blocks. */
const ELEMENTS_MAX = 500_000
const UNKNOWN = -1

interface Element {
  id: number
  start: number
  body: number
  /** UNKNOWN for the segment and clusters of a live recording. */
  end: number
}

interface Found {
  evidence: Evidence
  /** The type of each track, keyed by track number: 1 is video, 2 is audio. */
  types: Map<number, number>
  hasMedia: boolean
}

type Reader = ReturnType<typeof open>

export function cleanWebm(bytes: Buffer): Cleaned {
  const reader = open(bytes)
  const header = reader.at(0, bytes.length)
  if (header.id !== EBML || header.end === UNKNOWN) throw damaged()
  const docType = reader.within(header).find(({ id }) => id === DOC_TYPE)
  if (docType === undefined || bytes.toString('latin1', docType.body, docType.end) !== 'webm')
    throw new FileRefused('is a Matroska file but not WebM: send a WebM or MP4 video')

  const segment = reader.at(header.end, bytes.length)
  if (segment.id !== SEGMENT) throw damaged()
  // Data after the segment is not part of the recording.
  const whole = segment.end === UNKNOWN ? bytes : bytes.subarray(0, segment.end)

  const found: Found = { evidence: {}, types: new Map(), hasMedia: false }
  clean(bytes, reader, header, found)
  for (const element of segmentElements(reader, segment.body, whole.length)) {
    if (!KEPT[SEGMENT]!.includes(element.id)) {
      blank(bytes, element)
      continue
    }
    if (element.id === CLUSTER) {
      // Blocks are kept by their tracks, which must be known before.
      if (found.types.size === 0) throw damaged()
      found.hasMedia = true
    }
    if (element.id === INFO) Object.assign(found.evidence, readInfo(bytes, reader.within(element)))
    if (element.id === TRACKS) readTracks(bytes, reader, element, found)
    clean(bytes, reader, element, found)
  }
  const types = [...found.types.values()]
  if (!found.hasMedia) throw damaged()
  const kind = types.includes(1) ? 'video' : 'audio'
  return { bytes: whole, kind, content_type: `${kind}/webm`, evidence: found.evidence }
}

function* segmentElements(reader: Reader, from: number, to: number): Generator<Element> {
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
function endOfLiveCluster(reader: Reader, from: number, to: number): number {
  let start = from
  while (start < to) {
    const element = reader.at(start, to)
    if (element.id > 0xffffff) break
    if (element.end === UNKNOWN) throw damaged()
    start = element.end
  }
  return start
}

/** Blanks the children that aren't kept, and blocks of tracks that aren't. The depth is limited by KEPT. */
function clean(bytes: Buffer, reader: Reader, parent: Element, found: Found): void {
  const kept = KEPT[parent.id]!
  for (const element of reader.within(parent)) {
    const isBlock = element.id === BLOCK || element.id === SIMPLE_BLOCK
    if (!kept.includes(element.id)) blank(bytes, element)
    else if (isBlock && !found.types.has(reader.blockTrack(element))) {
      // A group without its block has no meaning.
      if (element.id === BLOCK) return blank(bytes, parent)
      blank(bytes, element)
    } else if (TEXTS.includes(element.id)) bytes.fill(0, element.body, element.end)
    else if (KEPT[element.id]) clean(bytes, reader, element, found)
  }
}

function readInfo(bytes: Buffer, elements: Element[]): Evidence {
  const scale = elements.find(({ id }) => id === SCALE)
  const duration = elements.find(({ id }) => id === DURATION)
  const nanoseconds = scale ? bytes.readUIntBE(scale.body, lengthOf(scale, 6)) : 1_000_000
  const ticks =
    duration === undefined
      ? 0
      : lengthOf(duration, 8) === 8
        ? bytes.readDoubleBE(duration.body)
        : bytes.readFloatBE(duration.body)
  const seconds = (ticks * nanoseconds) / 1e9
  return seconds > 0 && seconds < 864_000 ? { duration_s: Math.round(seconds * 10) / 10 } : {}
}

/** Notes the tracks of picture and sound; blanks all others, such as subtitles. */
function readTracks(bytes: Buffer, reader: Reader, tracks: Element, found: Found): void {
  for (const track of reader.within(tracks)) {
    if (track.id !== TRACK) continue
    const elements = reader.within(track)
    const number = numberOf(TRACK_NUMBER)
    const type = numberOf(TRACK_TYPE)
    if (type !== 1 && type !== 2) {
      blank(bytes, track)
      continue
    }
    if (found.types.has(number)) throw damaged()
    found.types.set(number, type)
    cleanCodec(bytes, elements)

    function numberOf(wanted: number): number {
      const element = elements.find(({ id }) => id === wanted)
      return element === undefined ? 0 : bytes.readUIntBE(element.body, lengthOf(element, 6))
    }
  }
}

/** Vorbis has its comments in the codec's configuration: three packets, whose lengths come first. */
function cleanCodec(bytes: Buffer, elements: Element[]): void {
  const codec = elements.find(({ id }) => id === CODEC)
  if (codec === undefined || bytes.toString('latin1', codec.body, codec.end) !== 'A_VORBIS') return
  for (const { body, end } of elements.filter(({ id }) => id === CODEC_PRIVATE)) {
    let at = body + 1
    const lengths = [0, 0].map(() => {
      let length = 0
      while (bytes[at] === 255 && at < end) {
        length += 255
        at += 1
      }
      length += bytes[at]!
      at += 1
      return length
    })
    const from = at + lengths[0]!
    const to = from + lengths[1]!
    if (bytes[body] !== 2 || to > end || to - from < NO_VORBIS_COMMENTS.length) throw damaged()
    bytes.fill(0, from, to)
    NO_VORBIS_COMMENTS.copy(bytes, from)
  }
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
    /** A block begins with the number of its track. */
    blockTrack: ({ body, end }: Element) => number(body, end, 8, true).value,
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
