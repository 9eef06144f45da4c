/** Geometry of the city on a plane: x to the east and y to the north, in meters from the middle of the map. */
import type { XY } from './vector-tiles.ts'

export type { XY }

const MIDDLE = { lat: 53.53, lng: 10.01 }
const LAT_M = 111_320
const LNG_M = LAT_M * Math.cos((MIDDLE.lat * Math.PI) / 180)

export const BOUNDS = { west: 9.76, south: 53.43, east: 10.27, north: 53.625 }

export const onPlane = ({ lat, lng }: { lat: number; lng: number }): XY => [
  (lng - MIDDLE.lng) * LNG_M,
  (lat - MIDDLE.lat) * LAT_M,
]

export const onMercator = ([x, y]: XY): XY =>
  mercatorOf({ lng: MIDDLE.lng + x / LNG_M, lat: MIDDLE.lat + y / LAT_M })

export function mercatorOf({ lat, lng }: { lat: number; lng: number }): XY {
  const sin = Math.sin((lat * Math.PI) / 180)
  return [(lng + 180) / 360, 0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)]
}

export const distance = ([ax, ay]: XY, [bx, by]: XY) => Math.hypot(bx - ax, by - ay)

export const between = ([ax, ay]: XY, [bx, by]: XY, t: number): XY => [
  ax + (bx - ax) * t,
  ay + (by - ay) * t,
]

/** Smooth, without random numbers: bends straight lines by up to about 110 m over a few kilometers. */
export const bent = ([x, y]: XY): XY => [
  x + 75 * Math.sin(y / 840 + x / 2100) + 32 * Math.sin(x / 390 - y / 510 + 1),
  y + 75 * Math.sin(x / 910 - y / 1900 + 2) + 32 * Math.sin(y / 420 + x / 460 + 4),
]

/** Adds points, so that a line can bend between its ends. */
export function dense(points: XY[], stepM: number): XY[] {
  return points.flatMap((point, i) => {
    const next = points[i + 1]
    if (next === undefined) return [point]
    const steps = Math.max(1, Math.ceil(distance(point, next) / stepM))
    return Array.from({ length: steps }, (_, step) => between(point, next, step / steps))
  })
}

/** A Catmull–Rom curve through the points. The third number, if any, is interpolated as well. */
export function curve<T extends number[]>(points: T[], { isClosed = false, steps = 8 } = {}): T[] {
  const at = (i: number) =>
    isClosed
      ? points[(i + points.length) % points.length]!
      : points[Math.max(0, Math.min(points.length - 1, i))]!
  const count = isClosed ? points.length : points.length - 1
  const found = Array.from({ length: count * steps }, (_, n) => {
    const [i, t] = [Math.floor(n / steps), (n % steps) / steps]
    const [a, b, c, d] = [at(i - 1), at(i), at(i + 1), at(i + 2)]
    return b.map((from, k) => {
      const [before, to, after] = [a[k]!, c[k]!, d[k]!]
      return (
        from +
        0.5 *
          t *
          (to -
            before +
            t * (2 * before - 5 * from + 4 * to - after + t * (3 * (from - to) + after - before)))
      )
    }) as T
  })
  return isClosed ? found : [...found, points.at(-1)!]
}

/** The outline of a band along a line whose points have widths. */
export function band(line: [x: number, y: number, width: number][]): XY[] {
  const sides = line.map(([x, y, width], i): [XY, XY] => {
    const [ax, ay] = line[Math.max(0, i - 1)]!
    const [bx, by] = line[Math.min(line.length - 1, i + 1)]!
    const length = Math.hypot(bx - ax, by - ay)
    const [nx, ny] = [((by - ay) / length) * (width / 2), ((ax - bx) / length) * (width / 2)]
    return [
      [x + nx, y + ny],
      [x - nx, y - ny],
    ]
  })
  return [...sides.map(([right]) => right), ...sides.map(([, left]) => left).reverse()]
}

const CELL_M = 12
const [WEST, SOUTH] = onPlane({ lat: BOUNDS.south, lng: BOUNDS.west })
const [EAST, NORTH] = onPlane({ lat: BOUNDS.north, lng: BOUNDS.east })
/** Streets reach a little beyond the edge of the map. */
const BEYOND_M = 400
const COLUMNS = Math.ceil((EAST - WEST + 2 * BEYOND_M) / CELL_M)
const ROWS = Math.ceil((NORTH - SOUTH + 2 * BEYOND_M) / CELL_M)
const columnOf = (x: number) => Math.round((x - WEST + BEYOND_M) / CELL_M)

/** Tells whether a point is inside any of the rings. A grid, since it is asked for every few meters of street. */
export function coverOf(rings: XY[][]): (point: XY) => boolean {
  const grid = new Uint8Array(COLUMNS * ROWS)
  for (const ring of rings)
    for (let row = 0; row < ROWS; row += 1) {
      const y = SOUTH - BEYOND_M + row * CELL_M
      const crossings = ring
        .flatMap(([bx, by], i) => {
          const [ax, ay] = ring.at(i - 1)!
          return ay > y === by > y ? [] : [ax + ((y - ay) / (by - ay)) * (bx - ax)]
        })
        .sort((a, b) => a - b)
      for (let i = 0; i + 1 < crossings.length; i += 2) {
        const from = Math.max(0, columnOf(crossings[i]!))
        const to = Math.min(COLUMNS, columnOf(crossings[i + 1]!))
        if (from < to) grid.fill(1, row * COLUMNS + from, row * COLUMNS + to)
      }
    }
  return ([x, y]) => {
    const [column, row] = [columnOf(x), Math.round((y - SOUTH + BEYOND_M) / CELL_M)]
    return (
      column >= 0 &&
      column < COLUMNS &&
      row >= 0 &&
      row < ROWS &&
      grid[row * COLUMNS + column] === 1
    )
  }
}

/** The part of a straight line that is inside a convex polygon, whose corners run counterclockwise. */
export function clipToConvex([from, to]: [XY, XY], corners: XY[]): [XY, XY] | undefined {
  let [enter, leave] = [0, 1]
  for (const [i, [ax, ay]] of corners.entries()) {
    const [bx, by] = corners[(i + 1) % corners.length]!
    const side = ([x, y]: XY) => (bx - ax) * (y - ay) - (by - ay) * (x - ax)
    const [start, end] = [side(from), side(to)]
    if (start < 0 && end < 0) return undefined
    if (start < 0) enter = Math.max(enter, start / (start - end))
    if (end < 0) leave = Math.min(leave, start / (start - end))
  }
  return enter < leave ? [between(from, to, enter), between(from, to, leave)] : undefined
}

/** The part of a convex polygon on the left of a line. */
export function cutConvex(corners: XY[], [ax, ay]: XY, [dx, dy]: XY): XY[] {
  const side = ([x, y]: XY) => dx * (y - ay) - dy * (x - ax)
  return corners.flatMap((corner, i) => {
    const previous = corners.at(i - 1)!
    const [before, now] = [side(previous), side(corner)]
    const kept: XY[] = now >= 0 ? [corner] : []
    return before >= 0 === now >= 0
      ? kept
      : [between(previous, corner, before / (before - now)), ...kept]
  })
}

export const isInConvex = ([x, y]: XY, corners: XY[]) =>
  corners.every(([ax, ay], i) => {
    const [bx, by] = corners[(i + 1) % corners.length]!
    return (bx - ax) * (y - ay) >= (by - ay) * (x - ax)
  })
