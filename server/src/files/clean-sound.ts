/** Cleans MP3, WAV and Ogg: keeps the sound; removes titles, comments, covers and the locations in them. */
import type { Cleaned } from './clean-image.ts'
import { FileRefused } from './refused.ts'

const FRAMES_MIN = 4

/** Keeps only whole frames; tags before or after them are not copied. */
export function cleanMp3(bytes: Buffer): Cleaned {
  let start = 0
  // There can be several tags, because some programs put a new one before the old one.
  while (bytes.toString('latin1', start, start + 3) === 'ID3' && bytes.length - start > 10) {
    const size = [6, 7, 8, 9].reduce((sum, i) => sum * 128 + (bytes[start + i]! & 0x7f), 0)
    const hasFooter = (bytes[start + 5]! & 0x10) !== 0
    start += 10 + size + (hasFooter ? 10 : 0)
  }
  let seconds = 0
  let frames = 0
  let end = start
  for (;;) {
    const frame = mp3Frame(bytes, end)
    if (frame === undefined || end + frame.length > bytes.length) break
    end += frame.length
    seconds += frame.seconds
    frames += 1
  }
  if (frames < FRAMES_MIN) throw damaged()
  return {
    bytes: bytes.subarray(start, end),
    kind: 'audio',
    content_type: 'audio/mpeg',
    evidence: { duration_s: tenths(seconds) },
  }
}

// Layer III bit rates in kbit/s, for MPEG 1 and MPEG 2.
const BITRATES = {
  1: [0, 32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320],
  2: [0, 8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160],
}
const RATES = [44_100, 48_000, 32_000]

function mp3Frame(bytes: Buffer, at: number): { length: number; seconds: number } | undefined {
  if (at + 4 > bytes.length || (bytes.readUInt16BE(at) & 0xffe0) !== 0xffe0) return undefined
  const version = (bytes[at + 1]! >> 3) & 3
  const layer = (bytes[at + 1]! >> 1) & 3
  const rate = RATES[(bytes[at + 2]! >> 2) & 3]
  const bitrate = BITRATES[version === 3 ? 1 : 2][bytes[at + 2]! >> 4]
  if (layer !== 1 || version === 1 || rate === undefined || !bitrate) return undefined
  const hertz = version === 3 ? rate : version === 2 ? rate / 2 : rate / 4
  const samples = version === 3 ? 1152 : 576
  const padding = (bytes[at + 2]! >> 1) & 1
  const length = Math.floor((samples / 8) * ((bitrate * 1000) / hertz)) + padding
  return { length, seconds: samples / hertz }
}

const WAV_FORMATS = [1, 3, 6, 7, 0xfffe]

/** Rebuilds the file from the three chunks needed for playback. */
export function cleanWav(bytes: Buffer): Cleaned {
  const chunks = new Map<string, Buffer>()
  for (let at = 12; at + 8 <= bytes.length; ) {
    const name = bytes.toString('latin1', at, at + 4)
    const said = bytes.readUInt32LE(at + 4)
    // A recorder that was interrupted never wrote the length of the data.
    const isOpen = name === 'data' && (said === 0xffffffff || said === 0)
    const length = isOpen ? bytes.length - at - 8 : said
    // Without a length, what follows can't be told from sound: it may be sound, or chunks of text.
    if (isOpen && isChunks(bytes, at + 8)) throw damaged()
    if (at + 8 + length > bytes.length) throw damaged()
    if (['fmt ', 'fact', 'data'].includes(name)) {
      if (chunks.has(name)) throw damaged()
      chunks.set(name, bytes.subarray(at + 8, at + 8 + length))
    }
    at += 8 + length + (length % 2)
  }
  const [format, data] = [chunks.get('fmt '), chunks.get('data')]
  if (format === undefined || data === undefined || format.length < 16 || data.length === 0)
    throw damaged()
  const perSecond = format.readUInt32LE(8)
  if (!WAV_FORMATS.includes(format.readUInt16LE(0)) || perSecond === 0 || format.length > 64)
    throw damaged()

  // Nothing but the known fields: programs may put anything behind them.
  const known = { 'fmt ': format.readUInt16LE(0) === 0xfffe ? 40 : 18, fact: 4, data: data.length }
  const parts: Buffer[] = []
  for (const name of ['fmt ', 'fact', 'data'] as const) {
    const chunk = chunks.get(name)?.subarray(0, known[name])
    if (chunk === undefined) continue
    const header = Buffer.alloc(8)
    header.write(name, 'latin1')
    header.writeUInt32LE(chunk.length, 4)
    parts.push(header, chunk, Buffer.alloc(chunk.length % 2))
  }
  const riff = Buffer.alloc(12)
  riff.write('RIFF', 'latin1')
  riff.writeUInt32LE(4 + parts.reduce((sum, part) => sum + part.length, 0), 4)
  riff.write('WAVE', 8, 'latin1')
  return {
    bytes: Buffer.concat([riff, ...parts]),
    kind: 'audio',
    content_type: 'audio/wav',
    evidence: { duration_s: tenths(data.length / perSecond) },
  }
}

/** Whether all the rest of the file is chunks, as behind a `data` chunk that is empty. */
function isChunks(bytes: Buffer, from: number): boolean {
  let at = from
  while (at + 8 <= bytes.length && /^[\w ]{4}$/.test(bytes.toString('latin1', at, at + 4)))
    at += 8 + bytes.readUInt32LE(at + 4) + (bytes.readUInt32LE(at + 4) % 2)
  return at > from && at >= bytes.length
}

interface Page {
  start: number
  body: number
  end: number
  serial: number
  granule: bigint
  /** Segment lengths of the packets. A packet continues after a segment of 255. */
  laces: Buffer
}

const NO_OPUS_COMMENTS = Buffer.from('OpusTags\0\0\0\0\0\0\0\0', 'latin1')
export const NO_VORBIS_COMMENTS = Buffer.from('\x03vorbis\0\0\0\0\0\0\0\0\x01', 'latin1')
const FIRST_PAGE = 2

/** Empties the comment packet but keeps its length. Refuses anything but pages of a single stream. */
export function cleanOgg(bytes: Buffer): Cleaned {
  const pages: Page[] = []
  for (let start = 0; start < bytes.length; ) {
    const isPage = bytes.toString('latin1', start, start + 4) === 'OggS' && bytes[start + 4] === 0
    const count = bytes[start + 26]
    if (!isPage || count === undefined) throw damaged()
    const laces = bytes.subarray(start + 27, start + 27 + count)
    const body = start + 27 + count
    const end = body + laces.reduce((sum, lace) => sum + lace, 0)
    if (end > bytes.length || laces.length !== count) throw damaged()
    const granule = bytes.readBigInt64LE(start + 6)
    pages.push({ start, body, end, serial: bytes.readUInt32LE(start + 14), granule, laces })
    start = end
  }
  // A second recording behind the first would have comments of its own.
  const isOther = ({ start, serial }: Page) =>
    serial !== pages[0]!.serial || (start > 0 && (bytes[start + 5]! & FIRST_PAGE) !== 0)
  if (pages.length < 3 || pages.some((page) => isOther(page)))
    throw new FileRefused('is not a plain audio recording: send M4A, MP3, WAV, Ogg or WebM')

  const [head, comments] = firstPackets(bytes, pages)
  const codec = head.bytes.toString('latin1', 0, 8)
  const isOpus = codec === 'OpusHead'
  if (!isOpus && codec.slice(0, 7) !== '\x01vorbis')
    throw new FileRefused('has neither Opus nor Vorbis audio: send M4A, MP3, WAV, Ogg or WebM')

  const empty = isOpus ? NO_OPUS_COMMENTS : NO_VORBIS_COMMENTS
  const known = empty.subarray(0, isOpus ? 8 : 7)
  if (!comments.bytes.subarray(0, known.length).equals(known)) throw damaged()
  if (comments.bytes.length < empty.length) throw damaged()
  let written = 0
  for (const { from, to } of comments.pieces) {
    bytes.fill(0, from, to)
    if (written < empty.length) empty.copy(bytes, from, written, written + (to - from))
    written += to - from
  }
  for (const page of comments.pages) writeChecksum(bytes, page)

  const hertz = isOpus ? 48_000 : head.bytes.readUInt32LE(12)
  const last = pages.findLast(({ granule }) => granule > 0n)?.granule ?? 0n
  return {
    bytes,
    kind: 'audio',
    content_type: 'audio/ogg',
    evidence: hertz > 0 && last > 0n ? { duration_s: tenths(Number(last) / hertz) } : {},
  }
}

interface Packet {
  bytes: Buffer
  pieces: { from: number; to: number }[]
  pages: Page[]
}

function firstPackets(bytes: Buffer, pages: Page[]): [Packet, Packet] {
  const packets: Packet[] = []
  let packet: Packet = { bytes: Buffer.alloc(0), pieces: [], pages: [] }
  for (const page of pages) {
    let at = page.body
    for (const lace of page.laces) {
      packet.pieces.push({ from: at, to: at + lace })
      if (packet.pages.at(-1) !== page) packet.pages.push(page)
      at += lace
      if (lace === 255) continue
      packet.bytes = Buffer.concat(packet.pieces.map(({ from, to }) => bytes.subarray(from, to)))
      packets.push(packet)
      if (packets.length === 2) return [packets[0]!, packets[1]!]
      packet = { bytes: Buffer.alloc(0), pieces: [], pages: [] }
    }
  }
  throw damaged()
}

/** Ogg's CRC: computed over the page with the checksum field zeroed, most significant bit first. */
function writeChecksum(bytes: Buffer, { start, end }: Page): void {
  bytes.writeUInt32LE(0, start + 22)
  let crc = 0
  for (let i = start; i < end; i += 1) {
    crc ^= bytes[i]! << 24
    for (let bit = 0; bit < 8; bit += 1) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1
  }
  bytes.writeUInt32LE(crc >>> 0, start + 22)
}

const tenths = (seconds: number) => Math.round(seconds * 10) / 10
const damaged = () => new FileRefused('is damaged: record it again')
