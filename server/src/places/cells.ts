/**
 * Places as H3 cells: what the feed finds tasks by. A cell's index is a 63-bit number, which JavaScript's numbers
 * can't hold, so that it travels as text.
 */
import { cellToLatLng, gridDisk, latLngToCell } from 'h3-js'

export interface Point {
  lat: number
  lng: number
}

const EARTH_KM = 6371.0088
/** The mean edge of a cell, by resolution. */
const EDGE_KM = { 5: 9.85409099, 6: 3.724532667, 7: 1.406475763 } as const
/** How far a corner is from its cell's middle at most, in mean edges: 1.101 was the most found. */
const REACH = 1.12
/** How much a ring of cells adds to the width of a disk at least, in mean edges. */
const RING = 1.1
export const RADIUS_MAX_KM = 200

export type Resolution = keyof typeof EDGE_KM

/** Great-circle distance. */
export function distanceKm(from: Point, to: Point): number {
  const lat = Math.sin(radians(to.lat - from.lat) / 2)
  const lng = Math.sin(radians(to.lng - from.lng) / 2)
  const h = lat * lat + Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * lng * lng
  return 2 * EARTH_KM * Math.asin(Math.min(1, Math.sqrt(h)))
}

/** The cells that a point is in. */
export const cellsOf = ({ lat, lng }: Point) => ({
  cell5: asNumber(latLngToCell(lat, lng, 5)),
  cell6: asNumber(latLngToCell(lat, lng, 6)),
  cell7: asNumber(latLngToCell(lat, lng, 7)),
})

/**
 * Moved by up to a hundred metres, always to the same spot: whoever asks for the distance from three places of their
 * choice finds that spot, and not the door.
 */
export const blurred = ({ lat, lng }: Point): Point => ({
  lat: Math.round(lat * 500) / 500,
  lng: Math.round(lng * 500) / 500,
})

export interface Cover {
  resolution: Resolution
  /** Every point of the circle is in one of these. */
  cells: string[]
  /** Of each of them: whether it lies in the circle whole, and whether at least its middle does. */
  isInner: boolean[]
  isMostlyIn: boolean[]
}

/** The cells that a circle touches, of a size that keeps them few and their edges close to the circle's. */
export function cellsWithin({ lat, lng, radiusKm }: Point & { radiusKm: number }): Cover {
  const resolution = radiusKm < 5 ? 7 : radiusKm <= 30 ? 6 : 5
  const reach = EDGE_KM[resolution] * REACH
  const rings = Math.ceil((radiusKm + reach) / (EDGE_KM[resolution] * RING))
  const cover: Cover = { resolution, cells: [], isInner: [], isMostlyIn: [] }
  for (const cell of diskAround(latLngToCell(lat, lng, resolution), rings)) {
    const middleKm = distanceKm({ lat, lng }, cell)
    if (middleKm > radiusKm + reach) continue
    cover.cells.push(cell.id)
    cover.isInner.push(middleKm <= radiusKm - reach)
    cover.isMostlyIn.push(middleKm <= radiusKm)
  }
  return cover
}

interface Cell extends Point {
  id: string
}

/** Disks are remembered, because workers live close together and asking for one costs as much as the feed's query. */
const disks = new Map<string, Cell[]>()
const CELLS_KEPT_MAX = 300_000
let cellsKept = 0

function diskAround(cell: string, rings: number): Cell[] {
  const key = `${cell} ${rings}`
  const known = disks.get(key)
  if (known) return known
  const disk = gridDisk(cell, rings).map((id) => {
    const [lat, lng] = cellToLatLng(id)
    return { id: asNumber(id), lat, lng }
  })
  disks.set(key, disk)
  cellsKept += disk.length
  for (const [oldest, { length }] of disks) {
    if (cellsKept <= CELLS_KEPT_MAX) break
    disks.delete(oldest)
    cellsKept -= length
  }
  return disk
}

const asNumber = (cell: string) => BigInt(`0x${cell}`).toString()
const radians = (degrees: number) => (degrees * Math.PI) / 180
