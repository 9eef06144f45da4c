import type { Position } from 'geojson'

/** A line of the world map: the first point, then steps from point to point, in hundredths of a degree. */
export function points(steps: number[]): Position[] {
  let [x, y] = [0, 0]
  const found: Position[] = []
  for (let i = 0; i + 1 < steps.length; i += 2) {
    x += steps[i]!
    y += steps[i + 1]!
    found.push([x / 100, y / 100])
  }
  return found
}
