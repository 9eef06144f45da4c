/**
 * Cleans MP4 and M4A. The copy begins as zeros of the same length, so that every position in the file stays right. Into
 * it go the samples of picture and sound and the boxes that players need; all other boxes become free space.
 */
import type { Cleaned, Evidence } from './clean-image.ts'
import { type Box, boxReader, damaged, only, type ReadBoxes } from './mp4-boxes.ts'
import { cleanDataReferences, cleanDescriptions, descriptionBoxes } from './mp4-descriptions.ts'
import { fragmentTrack, readFragment, readTables, type Take } from './mp4-samples.ts'
import { blankUserData, unitsOf, type Units } from './mp4-user-data.ts'

const CONTAINERS = 'moov trak mdia minf dinf stbl edts mvex moof traf mfra'.split(' ')
/** Tables of numbers. Boxes that can hold text or a time are cleaned by functions of their own. */
const TABLES = (
  'vmhd smhd stts ctts cslg stss stps stsc stsz stz2 stco co64 sdtp sbgp sgpd elst mehd trex mfhd tfhd ' +
  'tfdt trun sidx tfra mfro'
).split(' ')
/** Boxes that may be at the top level. Those that are not kept are blanked, unknown ones refused. */
const TOP =
  'ftyp styp moov moof mdat sidx ssix mfra prft udta meta uuid free skip wide pdin xml bxml emsg'.split(
    ' ',
  )
const BRANDS_MAX_BYTES = 256
const DEPTH_MAX = 8
/** Tracks may share samples, but not so often that copying them takes long. */
const COPIES_MAX = 4
const SECONDS_1904_TO_1970 = 2_082_844_800

interface Track {
  id: number
  handler: string
  box: Box
  /** The boxes in its `stbl`. */
  tables: Box[]
  units: Units | undefined
}

interface Copy {
  bytes: Buffer
  out: Buffer
  read: ReadBoxes
  /** Start positions of the boxes of tracks that are neither video nor audio. */
  dropped: Set<number>
}

export function cleanMp4(bytes: Buffer): Cleaned {
  const read = boxReader(bytes)
  const top = read(0, bytes.length)
  const moov = only(top, 'moov')
  if (top[0]?.name !== 'ftyp' || moov === undefined) throw damaged()
  if (top.some(({ name }) => !TOP.includes(name.trimEnd()))) throw damaged()
  if (!top.some(({ name }) => name === 'mdat')) throw damaged()

  const index = read(moov.body, moov.end)
  const tracks = index
    .filter(({ name }) => name === 'trak')
    .map((box) => readTrack(bytes, box, read))
  const isPlayed = ({ handler }: Track) => handler === 'vide' || handler === 'soun'
  const played = tracks.filter((track) => isPlayed(track))
  if (played.length === 0 || new Set(tracks.map(({ id }) => id)).size !== tracks.length)
    throw damaged()
  const dropped = new Set(tracks.filter((track) => !isPlayed(track)).map(({ box }) => box.start))

  const copy: Copy = { bytes, out: Buffer.alloc(bytes.length), read, dropped }
  const fragments = top.filter(({ name }) => name === 'moof')
  copySamples(copy, { played, index, fragments })
  // Whatever a table has pointed to outside of `mdat` is overwritten by these.
  for (const box of top) copyBox(copy, box, 0)

  const evidence: Evidence = {}
  const header = only(index, 'mvhd')
  if (header) Object.assign(evidence, readTimes(bytes, header))
  for (const box of [...index, ...top])
    if (box.name === 'udta') Object.assign(evidence, readPlace(bytes, box))
  for (const { box } of played)
    for (const child of read(box.body, box.end))
      if (child.name === 'udta') Object.assign(evidence, readPlace(bytes, child))
  const kind = played.some(({ handler }) => handler === 'vide') ? 'video' : 'audio'
  return { bytes: copy.out, kind, content_type: `${kind}/mp4`, evidence }
}

function readTrack(bytes: Buffer, box: Box, read: ReadBoxes): Track {
  const inside = (parent: Box, name: string): Box => {
    const child = only(read(parent.body, parent.end), name)
    if (child === undefined) throw damaged()
    return child
  }
  const header = inside(box, 'tkhd')
  const mdia = inside(box, 'mdia')
  const hdlr = inside(mdia, 'hdlr')
  if (header.end - header.body < 24 || hdlr.end - hdlr.body < 20) throw damaged()
  const handler = bytes.toString('latin1', hdlr.body + 8, hdlr.body + 12)
  const stbl = inside(inside(mdia, 'minf'), 'stbl')
  const description = handler === 'vide' && descriptionBoxes({ bytes, read }, inside(stbl, 'stsd'))
  return {
    id: bytes.readUInt32BE(header.body + (bytes[header.body] === 1 ? 20 : 12)),
    handler,
    box,
    tables: read(stbl.body, stbl.end),
    units: description ? unitsOf(bytes, description) : undefined,
  }
}

function copySamples(
  { bytes, out, read, dropped }: Copy,
  { played, index, fragments }: { played: Track[]; index: Box[]; fragments: Box[] },
): void {
  let copied = 0
  const takeFor =
    ({ units }: Track): Take =>
    (from, length) => {
      if (length === 0) return
      copied += length
      if (from + length > bytes.length || copied > bytes.length * COPIES_MAX) throw damaged()
      bytes.copy(out, from, from, from + length)
      if (units) blankUserData(out, from, from + length, units)
    }
  for (const track of played) readTables(bytes, track.tables, takeFor(track))

  const mvex = only(index, 'mvex')
  const defaults = mvex ? read(mvex.body, mvex.end).filter(({ name }) => name === 'trex') : []
  const defaultSizes = new Map(
    defaults.map(({ body }) => [bytes.readUInt32BE(body + 4), bytes.readUInt32BE(body + 16)]),
  )
  const takes = new Map(played.map((track) => [track.id, takeFor(track)]))
  const takeOf = (id: number) => takes.get(id)
  for (const moof of fragments) {
    readFragment(bytes, moof, { read, defaultSizes, takeOf })
    for (const traf of read(moof.body, moof.end)) {
      const header = traf.name === 'traf' && only(read(traf.body, traf.end), 'tfhd')
      if (header && !takes.has(fragmentTrack(bytes, header))) dropped.add(traf.start)
    }
  }
}

function copyBox(copy: Copy, box: Box, depth: number): void {
  const { bytes, out, read, dropped } = copy
  const { name, start, body, end } = box
  if (name !== 'mdat') out.fill(0, start, end)
  bytes.copy(out, start, start, body)
  if (name === 'mdat') return
  if (CONTAINERS.includes(name) && !dropped.has(start)) {
    if (depth === DEPTH_MAX) throw damaged()
    for (const child of read(body, end)) copyBox(copy, child, depth + 1)
  } else if (TABLES.includes(name)) bytes.copy(out, body, body, end)
  else if (CLEANED[name]) CLEANED[name](copy, box)
  else out.write('free', start + 4, 'latin1')
}

const CLEANED: Record<string, (copy: Copy, box: Box) => void> = {
  ftyp: copyBrands,
  styp: copyBrands,
  mvhd: copyWithoutTimes,
  tkhd: copyWithoutTimes,
  mdhd: copyWithoutTimes,
  hdlr: ({ bytes, out }, { body, end }) => {
    // Not the name, which is free text.
    bytes.copy(out, body, body, Math.min(body + 24, end))
  },
  dref: cleanDataReferences,
  stsd: cleanDescriptions,
}

function copyBrands({ bytes, out }: Copy, { body, end }: Box): void {
  if (end - body > BRANDS_MAX_BYTES) throw damaged()
  bytes.copy(out, body, body, end)
}

/** The times of creation and of the last change. */
function copyWithoutTimes({ bytes, out }: Copy, { body, end }: Box): void {
  const times = bytes[body] === 1 ? 16 : 8
  if (end - body < 4 + times) throw damaged()
  bytes.copy(out, body, body, end)
  out.fill(0, body + 4, body + 4 + times)
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
