/** A street map of one tile, as a PMTiles file. */
import { writeArchive } from '../../../scripts/city/pmtiles.ts'
import { cutTiles, type Shape as TileShape, type XY } from '../../../scripts/city/vector-tiles.ts'

interface Shape {
  layer: string
  tags: Record<string, string>
  /** A point, a line, or an automatically closed ring, in tile coordinates of 4096. */
  points: XY[]
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
    at: [Math.round((x % 1) * EXTENT), Math.round((y % 1) * EXTENT)] as XY,
  }
}

export function streetMap({ z, x, y }: { z: number; x: number; y: number }, shapes: Shape[]) {
  const worldAt = ([tileX, tileY]: XY): XY => [
    (x + tileX / EXTENT) / 2 ** z,
    (y + tileY / EXTENT) / 2 ** z,
  ]
  const drawn = shapes.map(
    ({ layer, tags, points, isArea = false }): TileShape => ({
      layer,
      tags,
      kind: points.length === 1 ? 'point' : isArea ? 'area' : 'line',
      parts: [points.map(worldAt)],
      minZoom: z,
    }),
  )
  return writeArchive({
    tiles: cutTiles(drawn, {
      minZoom: z,
      maxZoom: z,
      bounds: [worldAt([0, 0]), worldAt([EXTENT, EXTENT])],
    }),
    bounds: [lngAt(x, z), latAt(y + 1, z), lngAt(x + 1, z), latAt(y, z)],
    metadata: {
      vector_layers: [...new Set(shapes.map(({ layer }) => layer))].map((id) => ({
        id,
        fields: {},
      })),
      attribution: '<a href="https://example.com">© Street people</a>',
    },
  })
}

const lngAt = (x: number, z: number) => (x / 2 ** z) * 360 - 180
const latAt = (y: number, z: number) =>
  (Math.atan(Math.sinh(Math.PI * (1 - (2 * y) / 2 ** z))) * 180) / Math.PI
