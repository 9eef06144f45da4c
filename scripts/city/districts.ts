/** Divides the city into convex districts, whose borders are its main roads. */
import { type Quarter, QUARTERS } from '../demo/city.ts'
import type { Random } from '../demo/random.ts'
import { BOUNDS, cutConvex, distance, onPlane, type XY } from './plane.ts'

export interface District {
  middle: XY
  /** Counterclockwise. */
  corners: XY[]
  /** How densely it is built: 1 in the middle of a quarter, 0 in the fields. */
  density: number
}

const STEP_M = 1000
/** How far a quarter is built up, and how far the city around it reaches. */
const QUARTER_M = 2300

const [west, south] = onPlane({ lat: BOUNDS.south, lng: BOUNDS.west })
const [east, north] = onPlane({ lat: BOUNDS.north, lng: BOUNDS.east })
const WHOLE: XY[] = [
  [west, south],
  [east, south],
  [east, north],
  [west, north],
]

export function districtsOf(random: Random): District[] {
  const quarters = QUARTERS.map((quarter: Quarter) => onPlane(quarter))
  const middles = [...quarters]
  for (let y = south; y < north; y += STEP_M)
    for (let x = west; x < east; x += STEP_M) {
      const middle: XY = [x + random.between(0, STEP_M), y + random.between(0, STEP_M)]
      const density = densityAt(middle, quarters)
      // The fewer people live there, the larger are the districts.
      const apart = 620 + 900 * (1 - density)
      if (middles.every((other) => distance(middle, other) > apart)) middles.push(middle)
    }
  return middles.map((middle) => ({
    middle,
    corners: cellOf(middle, middles),
    density: densityAt(middle, quarters),
  }))
}

const densityAt = (point: XY, quarters: XY[]) =>
  Math.min(
    1,
    quarters.reduce(
      (sum, quarter) => sum + Math.exp(-((distance(point, quarter) / QUARTER_M) ** 2)),
      0,
    ),
  )

/** All points that are closer to this middle than to any other. */
function cellOf(middle: XY, middles: XY[]): XY[] {
  let corners = WHOLE
  const near = middles.toSorted((a, b) => distance(a, middle) - distance(b, middle)).slice(1, 40)
  for (const other of near) {
    const halfway: XY = [(middle[0] + other[0]) / 2, (middle[1] + other[1]) / 2]
    const direction: XY = [middle[1] - other[1], other[0] - middle[0]]
    corners = cutConvex(corners, halfway, direction)
  }
  return corners
}
