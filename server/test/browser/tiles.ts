/** A street map of one tile, as a PMTiles file: a named road, and a lake. */

interface Shape {
  layer: string
  tags: Record<string, string>
  /** A line, or an automatically closed ring, in tile coordinates of 4096. */
  points: [number, number][]
  isArea?: boolean
}

const EXTENT = 4096

/** The tile that contains a place, and the position within it. */
export function tileAt({ lat, lng }: { lat: number; lng: number }, z: number) {
  const sin = Math.sin((lat * Math.PI) / 180)
  const x = ((lng + 180) / 360) * 2 ** z
  const y = (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * 2 ** z
  return {
    z,
    x: Math.floor(x),
    y: Math.floor(y),
    at: [Math.round((x % 1) * EXTENT), Math.round((y % 1) * EXTENT)] as [number, number],
  }
}

export function streetMap({ z, x, y }: { z: number; x: number; y: number }, shapes: Shape[]) {
  const names = [...new Set(shapes.map(({ layer }) => layer))]
  const tile = Buffer.concat(
    names.map((name) =>
      field(
        3,
        layerOf(
          name,
          shapes.filter(({ layer }) => layer === name),
        ),
      ),
    ),
  )
  const directory = Buffer.concat([1, tileId(z, x, y), 1, tile.length, 1].map(varint))
  const metadata = Buffer.from(
    JSON.stringify({
      vector_layers: names.map((id) => ({ id, fields: {} })),
      attribution: '<a href="https://example.com">© Street people</a>',
    }),
  )
  const header = Buffer.alloc(127)
  header.write('PMTiles', 0)
  header.writeUInt8(3, 7)
  const ends = [header.length, directory.length, metadata.length, 0, tile.length]
  const sections = [1, 2, 3, 4].map((at) => ({
    from: ends.slice(0, at).reduce((sum, size) => sum + size, 0),
    size: ends[at]!,
  }))
  for (const [at, { from, size }] of sections.entries()) {
    header.writeBigUInt64LE(BigInt(from), 8 + at * 16)
    header.writeBigUInt64LE(BigInt(size), 16 + at * 16)
  }
  for (const at of [72, 80, 88]) header.writeBigUInt64LE(1n, at)
  // Clustered, nothing compressed, vector tiles, one zoom.
  for (const [at, value] of [1, 1, 1, 1, z, z].entries()) header.writeUInt8(value, 96 + at)
  for (const [at, degrees] of [-180, -85, 180, 85].entries())
    header.writeInt32LE(degrees * 1e7, 102 + at * 4)
  return Buffer.concat([header, directory, metadata, tile])
}

/** Tile ids follow a Hilbert curve, after all tiles of lower zooms. */
function tileId(z: number, tileX: number, tileY: number): number {
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

function layerOf(name: string, shapes: Shape[]): Buffer {
  const keys = [...new Set(shapes.flatMap(({ tags }) => Object.keys(tags)))]
  const values = [...new Set(shapes.flatMap(({ tags }) => Object.values(tags)))]
  return Buffer.concat([
    field(1, Buffer.from(name)),
    ...shapes.map((shape) => field(2, featureOf(shape, keys, values))),
    ...keys.map((key) => field(3, Buffer.from(key))),
    ...values.map((value) => field(4, field(1, Buffer.from(value)))),
    number(5, EXTENT),
    number(15, 2),
  ])
}

const [MOVE, LINE, CLOSE] = [1, 2, 7]

function featureOf({ tags, points, isArea = false }: Shape, keys: string[], values: string[]) {
  const steps = points.map(([x, y], at) => {
    const [fromX, fromY] = points[at - 1] ?? [0, 0]
    return [zigzag(x - fromX), zigzag(y - fromY)]
  })
  const commands = [
    MOVE | (1 << 3),
    ...steps[0]!,
    LINE | ((points.length - 1) << 3),
    ...steps.slice(1).flat(),
    ...(isArea ? [CLOSE | (1 << 3)] : []),
  ]
  const marks = Object.entries(tags).flatMap(([key, value]) => [
    keys.indexOf(key),
    values.indexOf(value),
  ])
  return Buffer.concat([
    field(2, Buffer.concat(marks.map(varint))),
    number(3, isArea ? 3 : 2),
    field(4, Buffer.concat(commands.map(varint))),
  ])
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31)
const number = (id: number, value: number) => Buffer.concat([varint(id << 3), varint(value)])
const field = (id: number, bytes: Buffer) =>
  Buffer.concat([varint((id << 3) | 2), varint(bytes.length), bytes])

function varint(value: number): Buffer {
  const bytes: number[] = []
  for (let left = value; ; left = Math.floor(left / 128)) {
    if (left < 128) return Buffer.from([...bytes, left])
    bytes.push((left % 128) + 128)
  }
}
