import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { getPentagons, cellToLatLng } from 'h3-js'
import { blurred, cellsOf, cellsWithin, distanceKm, type Point } from './cells.ts'

const anywhere = fc.record({
  lat: fc.double({ min: -90, max: 90, noNaN: true }),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
const atDateLine = fc.record({
  lat: fc.double({ min: -80, max: 80, noNaN: true }),
  lng: fc.oneof(
    fc.double({ min: 178, max: 180, noNaN: true }),
    fc.double({ min: -180, max: -178, noNaN: true }),
  ),
})
const atPole = fc.record({
  lat: fc.oneof(
    fc.double({ min: 88, max: 90, noNaN: true }),
    fc.double({ min: -90, max: -88, noNaN: true }),
  ),
  lng: fc.double({ min: -180, max: 180, noNaN: true }),
})
/** Cells around pentagons are small and distorted: a cover that assumes the usual size misses some. */
const atPentagon = fc
  .record({
    of: fc.constantFrom(...getPentagons(5)),
    lat: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
    lng: fc.double({ min: -0.3, max: 0.3, noNaN: true }),
  })
  .map(({ of, lat, lng }) => {
    const [middle, along] = cellToLatLng(of)
    return { lat: middle + lat, lng: wrapped(along + lng) }
  })
const radius = fc.oneof(
  fc.double({ min: 0.05, max: 5, noNaN: true }),
  fc.double({ min: 5, max: 30, noNaN: true }),
  fc.double({ min: 30, max: 200, noNaN: true }),
)

describe('cellsWithin', () => {
  for (const [where, place] of Object.entries({ anywhere, atDateLine, atPole, atPentagon }))
    test(`every point in the circle is in a cell of the cover: ${where}`, () => {
      fc.assert(
        fc.property(
          place,
          radius,
          fc.double({ min: 0, max: 360, noNaN: true }),
          fc.double({ min: 0, max: 1, noNaN: true }),
          (middle, radiusKm, bearing, part) => {
            const point = destination(middle, bearing, radiusKm * Math.sqrt(part) * 0.999_999)

            const { resolution, cells } = cellsWithin({ ...middle, radiusKm })

            assert(cells.includes(cellsOf(point)[`cell${resolution}`]))
          },
        ),
        { numRuns: where === 'atPentagon' ? 600 : 300 },
      )
    })

  test('no point of an inner cell is outside of the circle', () => {
    fc.assert(
      fc.property(anywhere, radius, anywhere, (middle, radiusKm, chance) => {
        const { resolution, cells, isInner } = cellsWithin({ ...middle, radiusKm })
        // Just outside of the circle, where a wrong cell would show up first.
        const point = destination(middle, chance.lng + 180, radiusKm * 1.000_001)

        assert(!isInner[cells.indexOf(cellsOf(point)[`cell${resolution}`])])
      }),
      { numRuns: 500 },
    )
  })

  test('chooses a cell size that keeps the cells few', () => {
    const berlin = { lat: 52.52, lng: 13.4 }
    const sizes = [1, 4.9, 5, 10, 30, 31, 200].map((radiusKm) => {
      const { resolution, cells } = cellsWithin({ ...berlin, radiusKm })
      return [resolution, cells.length < 800] as const
    })

    assert.deepEqual(sizes, [
      [7, true],
      [7, true],
      [6, true],
      [6, true],
      [6, true],
      [5, true],
      [5, true],
    ])
  })
})

describe('distanceKm', () => {
  test('is the great-circle distance', () => {
    const km = (a: [number, number], b: [number, number]) =>
      Math.round(distanceKm({ lat: a[0], lng: a[1] }, { lat: b[0], lng: b[1] }))

    assert.equal(km([52.52, 13.405], [48.8566, 2.3522]), 877)
    assert.equal(km([0, 179.5], [0, -179.5]), 111)
    assert.equal(km([90, 0], [90, 123]), 0)
    assert.equal(km([0, 0], [0, 180]), 20_015)
  })
})

describe('blurred', () => {
  test('moves a point by less than 160 m, and always to the same spot', () => {
    fc.assert(
      fc.property(anywhere, (point) => {
        const spot = blurred(point)

        assert(distanceKm(point, spot) < 0.16)
        assert.deepEqual(blurred(spot), spot)
      }),
    )
  })
})

/** The destination point for a bearing and a distance. */
function destination({ lat, lng }: Point, bearing: number, km: number): Point {
  const [phi, lambda, theta] = [lat, lng, bearing].map((degrees) => (degrees * Math.PI) / 180) as [
    number,
    number,
    number,
  ]
  const delta = km / 6371.0088
  const sine = Math.sin(phi) * Math.cos(delta) + Math.cos(phi) * Math.sin(delta) * Math.cos(theta)
  const to = Math.asin(Math.max(-1, Math.min(1, sine)))
  const along =
    lambda +
    Math.atan2(
      Math.sin(theta) * Math.sin(delta) * Math.cos(phi),
      Math.cos(delta) - Math.sin(phi) * Math.sin(to),
    )
  return { lat: (to * 180) / Math.PI, lng: wrapped((along * 180) / Math.PI) }
}

function wrapped(lng: number): number {
  return ((((lng + 180) % 360) + 360) % 360) - 180
}
