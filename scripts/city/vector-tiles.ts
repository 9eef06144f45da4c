/**
 * Cuts shapes into vector tiles (Mapbox Vector Tile 2.1): per zoom it simplifies each shape, clips it to the tiles that
 * it touches, and encodes the pieces.
 */
import { pushVarint, type Tile } from './pmtiles.ts'

/** In Web Mercator, 0 to 1 from the north-west corner of the world. */
export type XY = [x: number, y: number]

export interface Shape {
  layer: string
  tags: Record<string, string | number>
  kind: 'point' | 'line' | 'area'
  /** A point, a line, or rings: the outline, then holes. Rings are not closed. */
  parts: XY[][]
  minZoom: number
  maxZoom?: number
}

const EXTENT = 4096
/** Shapes continue beyond the edge of their tile, so that wide lines and labels are not cut off. */
const MARGIN = 96
const KINDS = { point: 1, line: 2, area: 3 }
const [MOVE, LINE, CLOSE] = [1, 2, 7]

export function cutTiles(
  shapes: Shape[],
  { minZoom, maxZoom, bounds }: { minZoom: number; maxZoom: number; bounds: [XY, XY] },
): Tile[] {
  const tiles: Tile[] = []
  for (let z = minZoom; z <= maxZoom; z += 1) {
    const layers = new Map<string, Map<string, Layer>>()
    const shown = shapes.filter((shape) => shape.minZoom <= z && z <= (shape.maxZoom ?? maxZoom))
    // The last zoom is also enlarged for closer views, so it keeps more detail.
    const tolerance = z === maxZoom ? 3 : 8
    for (const shape of shown) cut(shape, { z, tolerance, bounds, layers })
    for (const [key, named] of layers) {
      const [x, y] = key.split('/').map(Number) as XY
      const bytes = [...named].flatMap(([name, layer]) => field(3, layer.encode(name)))
      tiles.push({ z, x, y, bytes: Uint8Array.from(bytes) })
    }
  }
  return tiles
}

interface Cut {
  z: number
  tolerance: number
  bounds: [XY, XY]
  layers: Map<string, Map<string, Layer>>
}

function cut(shape: Shape, { z, tolerance, bounds: [first, last], layers }: Cut): void {
  const size = EXTENT * 2 ** z
  const scaled = shape.parts.map((part) => part.map(([x, y]): XY => [x * size, y * size]))
  const parts = shape.kind === 'point' ? scaled : scaled.map((part) => simplified(part, tolerance))
  const all = parts.flat()
  const [xs, ys] = [all.map(([x]) => x), all.map(([, y]) => y)]
  const tileOf = (value: number) => Math.floor(value / EXTENT)
  const within = (value: number, axis: 0 | 1) =>
    Math.max(tileOf(first[axis] * size), Math.min(tileOf(last[axis] * size - 1), tileOf(value)))
  for (
    let x = within(Math.min(...xs) - MARGIN, 0);
    x <= within(Math.max(...xs) + MARGIN, 0);
    x += 1
  )
    for (
      let y = within(Math.min(...ys) - MARGIN, 1);
      y <= within(Math.max(...ys) + MARGIN, 1);
      y += 1
    ) {
      const local = parts.map((part) =>
        part.map(([px, py]): XY => [px - x * EXTENT, py - y * EXTENT]),
      )
      const pieces = piecesOf(shape.kind, local)
      if (pieces.length === 0) continue
      const key = `${x}/${y}`
      const named = layers.get(key) ?? new Map<string, Layer>()
      const layer = named.get(shape.layer) ?? openLayer()
      layers.set(key, named.set(shape.layer, layer))
      layer.add(shape, pieces)
    }
}

function piecesOf(kind: Shape['kind'], parts: XY[][]): XY[][] {
  if (kind === 'point')
    // A label belongs to one tile; copies in the neighbors would be drawn twice.
    return parts.filter(([point]) => isWithin(point!)).map(rounded)
  if (kind === 'line')
    return parts
      .flatMap(clipLine)
      .map(rounded)
      .filter(({ length }) => length > 1)
  const rings = parts.map((part) => rounded(clipRing(part))).filter(({ length }) => length > 2)
  // Without its outline, holes are nothing.
  const [outline, ...holes] = rings
  if (outline === undefined || areaOf(outline) === 0) return []
  return [turned(outline, 1), ...holes.map((hole) => turned(hole, -1))]
}

const isWithin = ([x, y]: XY) => x >= 0 && y >= 0 && x < EXTENT && y < EXTENT

/** Douglas–Peucker. */
function simplified(points: XY[], tolerance: number): XY[] {
  if (points.length < 3) return points
  const isKept = new Uint8Array(points.length)
  isKept[0] = isKept[points.length - 1] = 1
  const open: XY[] = [[0, points.length - 1]]
  for (let range = open.pop(); range !== undefined; range = open.pop()) {
    const [from, to] = range
    let [farthest, at] = [tolerance * tolerance, -1]
    for (let i = from + 1; i < to; i += 1) {
      const distance = squaredDistance(points[i]!, points[from]!, points[to]!)
      if (distance > farthest) [farthest, at] = [distance, i]
    }
    if (at === -1) continue
    isKept[at] = 1
    open.push([from, at], [at, to])
  }
  return points.filter((_, i) => isKept[i] === 1)
}

function squaredDistance([x, y]: XY, [ax, ay]: XY, [bx, by]: XY): number {
  const [dx, dy] = [bx - ax, by - ay]
  const length = dx * dx + dy * dy
  const t = length === 0 ? 0 : Math.max(0, Math.min(1, ((x - ax) * dx + (y - ay) * dy) / length))
  return (x - ax - t * dx) ** 2 + (y - ay - t * dy) ** 2
}

const [LOW, HIGH] = [-MARGIN, EXTENT + MARGIN]

/** Liang–Barsky for every segment; a line that leaves the tile and returns becomes several. */
function clipLine(points: XY[]): XY[][] {
  const lines: XY[][] = []
  let line: XY[] = []
  for (let i = 1; i < points.length; i += 1) {
    const [[ax, ay], [bx, by]] = [points[i - 1]!, points[i]!]
    const [dx, dy] = [bx - ax, by - ay]
    let [enter, leave] = [0, 1]
    for (const [step, gap] of [
      [-dx, ax - LOW],
      [dx, HIGH - ax],
      [-dy, ay - LOW],
      [dy, HIGH - ay],
    ] as const) {
      if (step === 0 && gap < 0) leave = -1
      else if (step < 0) enter = Math.max(enter, gap / step)
      else if (step > 0) leave = Math.min(leave, gap / step)
    }
    if (enter > leave) continue
    if (enter > 0 || line.length === 0) {
      line = [[ax + enter * dx, ay + enter * dy]]
      lines.push(line)
    }
    line.push([ax + leave * dx, ay + leave * dy])
    if (leave < 1) line = []
  }
  return lines
}

/** Sutherland–Hodgman: cuts along the four sides, one after the other. */
function clipRing(ring: XY[]): XY[] {
  let points = ring
  for (const [axis, limit, sign] of [
    [0, LOW, 1],
    [0, HIGH, -1],
    [1, LOW, 1],
    [1, HIGH, -1],
  ] as const) {
    const isInside = (point: XY) => (point[axis] - limit) * sign >= 0
    points = points.flatMap((point, i) => {
      const previous = points.at(i - 1)!
      const isIn = isInside(point)
      const kept: XY[] = isIn ? [point] : []
      if (isIn === isInside(previous)) return kept
      const t = (limit - previous[axis]) / (point[axis] - previous[axis])
      const crossing: XY = [
        previous[0] + t * (point[0] - previous[0]),
        previous[1] + t * (point[1] - previous[1]),
      ]
      return [crossing, ...kept]
    })
  }
  return points
}

function rounded(points: XY[]): XY[] {
  const whole = points.map(([x, y]): XY => [Math.round(x), Math.round(y)])
  return whole.filter(([x, y], i) => i === 0 || x !== whole[i - 1]![0] || y !== whole[i - 1]![1])
}

const areaOf = (ring: XY[]) =>
  ring.reduce((sum, [x, y], i) => {
    const [px, py] = ring.at(i - 1)!
    return sum + px * y - x * py
  }, 0)

/** Outlines turn one way and holes the other, which is how a reader tells them apart. */
const turned = (ring: XY[], direction: 1 | -1) =>
  Math.sign(areaOf(ring)) === direction ? ring : ring.toReversed()

type Layer = ReturnType<typeof openLayer>

function openLayer() {
  const keys = new Map<string, number>()
  const values = new Map<string | number, number>()
  const features: number[] = []
  const indexOf = <T>(known: Map<T, number>, one: T) => {
    const index = known.get(one) ?? known.size
    known.set(one, index)
    return index
  }
  return {
    add({ kind, tags }: Shape, parts: XY[][]) {
      const marks = Object.entries(tags).flatMap(([key, value]) => [
        indexOf(keys, key),
        indexOf(values, value),
      ])
      const feature = [
        ...field(2, packed(marks)),
        ...numberField(3, KINDS[kind]),
        ...field(4, packed(commandsOf(kind, parts))),
      ]
      append(features, field(2, feature))
    },
    encode: (name: string) => [
      ...field(1, [...Buffer.from(name)]),
      ...features,
      ...[...keys.keys()].flatMap((key) => field(3, [...Buffer.from(key)])),
      ...[...values.keys()].flatMap((value) => field(4, valueOf(value))),
      ...numberField(5, EXTENT),
      ...numberField(15, 2),
    ],
  }
}

const valueOf = (value: string | number) =>
  typeof value === 'string' ? field(1, [...Buffer.from(value)]) : numberField(5, value)

function commandsOf(kind: Shape['kind'], parts: XY[][]): number[] {
  const commands: number[] = []
  let [x, y] = [0, 0]
  const step = ([toX, toY]: XY) => {
    commands.push(zigzag(toX - x), zigzag(toY - y))
    ;[x, y] = [toX, toY]
  }
  for (const part of parts) {
    commands.push(MOVE | (1 << 3))
    step(part[0]!)
    if (kind === 'point') continue
    commands.push(LINE | ((part.length - 1) << 3))
    for (const point of part.slice(1)) step(point)
    if (kind === 'area') commands.push(CLOSE | (1 << 3))
  }
  return commands
}

const zigzag = (value: number) => (value << 1) ^ (value >> 31)

function packed(numbers: number[]): number[] {
  const bytes: number[] = []
  for (const one of numbers) pushVarint(bytes, one >>> 0)
  return bytes
}

function numberField(id: number, value: number): number[] {
  const bytes: number[] = []
  pushVarint(bytes, id << 3)
  pushVarint(bytes, value)
  return bytes
}

function field(id: number, content: number[]): number[] {
  const bytes: number[] = []
  pushVarint(bytes, (id << 3) | 2)
  pushVarint(bytes, content.length)
  append(bytes, content)
  return bytes
}

/** Not `push(...more)`: a tile's layer has more bytes than a call can have arguments. */
function append(bytes: number[], more: number[]): void {
  for (const byte of more) bytes.push(byte)
}
