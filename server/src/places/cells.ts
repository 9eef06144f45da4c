/**
 * Places as H3 cells, by which the feed finds tasks. A cell's index is a 63-bit integer, too large for a JavaScript
 * number, so it is passed as text.
 */
import { cellToLatLng, gridDisk, latLngToCell } from 'h3-js'

export interface Point {
  lat: number
  lng: number
}

const EARTH_KM = 6371.0088
/** The mean edge length of a cell, by resolution. */
const EDGE_KM = { 5: 9.85409099, 6: 3.724532667, 7: 1.406475763 } as const
/** Upper bound on the distance from a cell's center to a corner, in mean edges; the largest found was 1.101. */
const REACH = 1.12
/** Lower bound on what a ring of cells adds to a disk's radius, in mean edges. */
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

/** The cells that contain a point, one for each resolution. */
export const cellsOf = ({ lat, lng }: Point) => ({
  cell5: asNumber(latLngToCell(lat, lng, 5)),
  cell6: asNumber(latLngToCell(lat, lng, 6)),
  cell7: asNumber(latLngToCell(lat, lng, 7)),
})

/**
 * Moves a point by up to 100 meters, always to the same spot: trilateration with distances from several places finds
 * that spot, not the actual address.
 */
export const blurred = ({ lat, lng }: Point): Point => ({
  lat: Math.round(lat * 500) / 500,
  lng: Math.round(lng * 500) / 500,
})

export interface Cover {
  resolution: Resolution
  /** Together they cover the whole circle. */
  cells: string[]
  /** For each cell: whether it lies entirely in the circle, and whether at least its center does. */
  isInner: boolean[]
  isMostlyIn: boolean[]
}

/** The cells that cover a circle. The resolution keeps their number low and their outline close to the circle. */
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

/** Disks are cached, because workers live close together and computing a disk costs as much as the feed's query. */
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
