/** Clusters overlapping pins into one with a count. */
import type { Point } from './wishes.ts'

export interface Placed {
  id: string
  near: Point
}

export interface Group<T extends Placed> {
  /** Stable for the same pins, so that an unchanged pin isn't redrawn. */
  key: string
  members: T[]
  lat: number
  lng: number
}

/** The size of a pin with its pay. */
const APART_PX = { x: 80, y: 44 }
const TILE_PX = 512
/** Task positions are rounded to a hundredth of a degree, so zooming in further separates nothing. */
export const ZOOM_MAX = 15

/** Each task joins the first group that it overlaps, in order, so the best tasks are at the center of their group. */
export function groupsOf<T extends Placed>(tasks: T[], zoom: number): Group<T>[] {
  const groups: { members: T[]; x: number; y: number }[] = []
  for (const task of tasks) {
    const { x, y } = pixelsOf(task.near, zoom)
    const found = groups.find(
      (group) => Math.abs(group.x - x) < APART_PX.x && Math.abs(group.y - y) < APART_PX.y,
    )
    if (found) found.members.push(task)
    else groups.push({ members: [task], x, y })
  }
  return groups.map(({ members }) => ({
    key: members.map(({ id }) => id).join(' '),
    members,
    ...members[0]!.near,
  }))
}

/** Web Mercator, as the map uses. */
function pixelsOf({ lat, lng }: Point, zoom: number) {
  const size = TILE_PX * 2 ** zoom
  const sin = Math.sin((lat * Math.PI) / 180)
  return {
    x: ((lng + 180) / 360) * size,
    y: (0.5 - Math.log((1 + sin) / (1 - sin)) / (4 * Math.PI)) * size,
  }
}

/** West, south, east, north. */
export type Bounds = [number, number, number, number]

export function boundsOf(points: Point[]): Bounds | undefined {
  if (points.length === 0) return undefined
  const lats = points.map(({ lat }) => lat)
  const lngs = points.map(({ lng }) => lng)
  return [Math.min(...lngs), Math.min(...lats), Math.max(...lngs), Math.max(...lats)]
}

/** Around a point, so wide that the nearest of the others are inside. */
export function boundsAround(center: Point, others: Point[], nearest: number): Bounds | undefined {
  const [lats, lngs] = [
    others.map(({ lat }) => Math.abs(lat - center.lat)),
    others.map(({ lng }) => Math.abs(lng - center.lng)),
  ]
  const order = others
    .map((_, i) => i)
    .sort((a, b) => Math.max(lats[a]!, lngs[a]! / 2) - Math.max(lats[b]!, lngs[b]! / 2))
    .slice(0, nearest)
  if (order.length === 0) return undefined
  const [high, wide] = [
    Math.max(...order.map((i) => lats[i]!)),
    Math.max(...order.map((i) => lngs[i]!)),
  ]
  return [center.lng - wide, center.lat - high, center.lng + wide, center.lat + high]
}

/** Whether zooming in would separate them. */
export const canSplit = (members: Placed[]) =>
  members.some(({ near }) => near.lat !== members[0]!.near.lat || near.lng !== members[0]!.near.lng)

const EARTH_M = 6_371_008.8
const CORNERS = 64

/** A circle on the ground as a polygon. */
export function circleAround({ lat, lng }: Point, metres: number): [number, number][] {
  const high = ((metres / EARTH_M) * 180) / Math.PI
  const wide = high / Math.cos((lat * Math.PI) / 180)
  return Array.from({ length: CORNERS + 1 }, (_, at) => {
    const angle = (at / CORNERS) * 2 * Math.PI
    return [lng + wide * Math.cos(angle), lat + high * Math.sin(angle)]
  })
}
