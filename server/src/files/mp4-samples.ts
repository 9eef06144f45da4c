/** Finds the bytes of picture and sound in an MP4: by the tables of a track, and by the runs of fragments. */
import { type Box, damaged, only, type ReadBoxes } from './mp4-boxes.ts'

/** Called for each run of bytes that belongs to a track. */
export type Take = (from: number, length: number) => void

/** Reads the tables inside a track's `stbl`: sizes of samples, samples per chunk, and where each chunk begins. */
export function readTables(bytes: Buffer, stbl: Box[], take: Take): void {
  const chunks = only(stbl, 'stco') ?? only(stbl, 'co64')
  const perChunk = only(stbl, 'stsc')
  const sizes = only(stbl, 'stsz') ?? only(stbl, 'stz2')
  if (chunks === undefined || perChunk === undefined || sizes === undefined) throw damaged()
  const sizeOf = sizeReader(bytes, sizes)

  const width = chunks.name === 'stco' ? 4 : 8
  const chunkCount = entries(bytes, chunks, width)
  const groups = entries(bytes, perChunk, 12)
  let group = -1
  let sample = 0
  for (let chunk = 0; chunk < chunkCount; chunk += 1) {
    while (group + 1 < groups && field(group + 1, 0) <= chunk + 1) group += 1
    if (group < 0) throw damaged()
    const at = chunks.body + 8 + chunk * width
    const from = width === 4 ? bytes.readUInt32BE(at) : Number(bytes.readBigUInt64BE(at))
    const samples = field(group, 4)
    take(from, sizeOf(sample, samples))
    sample += samples
  }

  function field(index: number, offset: number): number {
    return bytes.readUInt32BE(perChunk!.body + 8 + index * 12 + offset)
  }
}

/** Returns a function that gives the length of consecutive samples. */
function sizeReader(bytes: Buffer, box: Box): (first: number, count: number) => number {
  if (box.end - box.body < 12) throw damaged()
  const count = bytes.readUInt32BE(box.body + 8)
  const same = box.name === 'stsz' ? bytes.readUInt32BE(box.body + 4) : 0
  if (same > 0) return (first, samples) => Math.max(0, Math.min(samples, count - first)) * same
  const bits = box.name === 'stsz' ? 32 : bytes[box.body + 7]!
  if (![4, 8, 16, 32].includes(bits) || box.body + 12 + (count * bits) / 8 > box.end)
    throw damaged()
  const at = box.body + 12
  const sizeAt = (i: number) =>
    bits === 4
      ? (bytes[at + (i >> 1)]! >> (i % 2 === 0 ? 4 : 0)) & 15
      : bytes.readUIntBE(at + (i * bits) / 8, bits / 8)
  return (first, samples) => {
    let sum = 0
    for (let i = first; i < Math.min(first + samples, count); i += 1) sum += sizeAt(i)
    return sum
  }
}

/** The number of entries of a table, which must fit in its box. */
function entries(bytes: Buffer, { body, end }: Box, width: number): number {
  if (end - body < 8) throw damaged()
  const count = bytes.readUInt32BE(body + 4)
  if (body + 8 + count * width > end) throw damaged()
  return count
}

/** Reads the runs of one `moof`. `takeOf` says, by the id of a track, whether its bytes are taken. */
export function readFragment(
  bytes: Buffer,
  moof: Box,
  {
    read,
    defaultSizes,
    takeOf,
  }: {
    read: ReadBoxes
    defaultSizes: Map<number, number>
    takeOf: (id: number) => Take | undefined
  },
): void {
  let next = moof.start
  for (const traf of read(moof.body, moof.end).filter(({ name }) => name === 'traf')) {
    const boxes = read(traf.body, traf.end)
    const header = only(boxes, 'tfhd')
    if (header === undefined) throw damaged()
    const { id, base, size } = readFragmentHeader(bytes, header)
    const take = takeOf(id)
    // Without a base of its own, a track continues where the one before it ended.
    const from = base === 'moof' ? moof.start : (base ?? next)
    next = from
    for (const run of boxes.filter(({ name }) => name === 'trun')) {
      const { offset, length } = readRun(bytes, run, size ?? defaultSizes.get(id) ?? 0)
      if (offset !== undefined) next = from + offset
      if (next < 0) throw damaged()
      take?.(next, length)
      next += length
    }
  }
}

export function fragmentTrack(bytes: Buffer, header: Box): number {
  return readFragmentHeader(bytes, header).id
}

function readFragmentHeader(bytes: Buffer, { body, end }: Box) {
  const flags = bytes.readUIntBE(body + 1, 3)
  let at = body + 8
  const skip = (flag: number, length: number) => {
    if ((flags & flag) === 0) return undefined
    at += length
    return at - length
  }
  const baseAt = skip(0x1, 8)
  skip(0x2, 4)
  skip(0x8, 4)
  const sizeAt = skip(0x10, 4)
  if (at > end) throw damaged()
  const isMoof = (flags & 0x20000) !== 0
  return {
    id: bytes.readUInt32BE(body + 4),
    base:
      baseAt === undefined
        ? isMoof
          ? ('moof' as const)
          : undefined
        : Number(bytes.readBigUInt64BE(baseAt)),
    size: sizeAt === undefined ? undefined : bytes.readUInt32BE(sizeAt),
  }
}

/** The length of a run's samples, and where it begins if it says so. */
function readRun(bytes: Buffer, { body, end }: Box, size: number) {
  const flags = bytes.readUIntBE(body + 1, 3)
  const count = bytes.readUInt32BE(body + 4)
  let at = body + 8
  const offset = (flags & 0x1) === 0 ? undefined : bytes.readInt32BE(at)
  at += (offset === undefined ? 0 : 4) + ((flags & 0x4) === 0 ? 0 : 4)
  const fields = [0x100, 0x200, 0x400, 0x800].filter((flag) => (flags & flag) !== 0)
  if (at + count * fields.length * 4 > end) throw damaged()
  if (!fields.includes(0x200)) return { offset, length: count * size }
  at += fields[0] === 0x100 ? 4 : 0
  let length = 0
  for (let i = 0; i < count; i += 1) length += bytes.readUInt32BE(at + i * fields.length * 4)
  return { offset, length }
}
