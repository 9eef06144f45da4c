/**
 * Writes a PMTiles archive (version 3): a header, a directory of tiles, metadata as JSON, and the gzipped tiles in the
 * order of their ids. The `pmtiles` package only reads archives.
 */
import { gzipSync } from 'node:zlib'

export interface Tile {
  z: number
  x: number
  y: number
  bytes: Uint8Array
}

interface Archive {
  tiles: Tile[]
  /** West, south, east, north, in degrees. */
  bounds: [number, number, number, number]
  metadata: object
}

const HEADER_BYTES = 127
const GZIP = 2
const VECTOR_TILES = 1

export function writeArchive({ tiles, bounds, metadata }: Archive): Buffer {
  const sorted = tiles
    .map(({ bytes, ...at }) => ({ id: tileId(at), data: gzipSync(bytes) }))
    .sort((a, b) => a.id - b.id)
  const directory = gzipSync(directoryOf(sorted))
  const details = gzipSync(JSON.stringify(metadata))
  const contents = Buffer.concat(sorted.map(({ data }) => data))

  const header = Buffer.alloc(HEADER_BYTES)
  header.write('PMTiles', 0)
  header.writeUInt8(3, 7)
  let offset = HEADER_BYTES
  // The third section is for leaf directories, which a small archive doesn't need.
  for (const [i, { length }] of [directory, details, Buffer.alloc(0), contents].entries()) {
    header.writeBigUInt64LE(BigInt(offset), 8 + i * 16)
    header.writeBigUInt64LE(BigInt(length), 16 + i * 16)
    offset += length
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(BigInt(sorted.length), at)
  const zooms = tiles.map(({ z }) => z)
  const flags = [1, GZIP, GZIP, VECTOR_TILES, Math.min(...zooms), Math.max(...zooms)]
  for (const [i, value] of flags.entries()) header.writeUInt8(value, 96 + i)
  const [west, south, east, north] = bounds
  for (const [i, degrees] of bounds.entries())
    header.writeInt32LE(tenMillionths(degrees), 102 + i * 4)
  header.writeUInt8(Math.max(...zooms), 118)
  header.writeInt32LE(tenMillionths((west + east) / 2), 119)
  header.writeInt32LE(tenMillionths((south + north) / 2), 123)
  return Buffer.concat([header, directory, details, contents])
}

const tenMillionths = (degrees: number) => Math.round(degrees * 1e7)

/** Columns: differences of ids, run lengths, byte lengths, offsets (0: directly after the previous tile). */
function directoryOf(tiles: { id: number; data: Buffer }[]): Buffer {
  const bytes: number[] = []
  pushVarint(bytes, tiles.length)
  for (const [i, { id }] of tiles.entries()) pushVarint(bytes, id - (tiles[i - 1]?.id ?? 0))
  for (const _ of tiles) pushVarint(bytes, 1)
  for (const { data } of tiles) pushVarint(bytes, data.length)
  for (const i of tiles.keys()) pushVarint(bytes, i === 0 ? 1 : 0)
  return Buffer.from(bytes)
}

/** Tile ids follow a Hilbert curve, after all tiles of lower zooms. */
function tileId({ z, x: tileX, y: tileY }: { z: number; x: number; y: number }): number {
  let [x, y, id] = [tileX, tileY, (4 ** z - 1) / 3]
  for (let side = 2 ** (z - 1); side >= 1; side /= 2) {
    const [right, low] = [(x & side) > 0 ? 1 : 0, (y & side) > 0 ? 1 : 0]
    id += side * side * ((3 * right) ^ low)
    if (low === 0) {
      if (right === 1) [x, y] = [side - 1 - x, side - 1 - y]
      ;[x, y] = [y, x]
    }
  }
  return id
}

/** Protobuf's variable-length integer, which PMTiles uses as well. */
export function pushVarint(bytes: number[], value: number): void {
  let left = value
  for (; left >= 128; left = Math.floor(left / 128)) bytes.push((left % 128) + 128)
  bytes.push(left)
}
