/**
 * The streets of the demo city: main roads along the borders of districts, side streets and blocks within them.
 * Nothing but bridges of main roads crosses water, and only paths lead through parks.
 */
import { type Place, type Quarter, QUARTERS } from '../demo/city.ts'
import type { Random } from '../demo/random.ts'
import type { District } from './districts.ts'
import { GREENS, isGreen, isWater } from './land.ts'
import { namer } from './names.ts'
import {
  bent,
  between,
  clipToConvex,
  dense,
  distance,
  isInConvex,
  onPlane,
  type XY,
} from './plane.ts'

export interface Road {
  kind: 'primary' | 'secondary' | 'tertiary' | 'minor' | 'path'
  name?: string
  line: XY[]
}

const STEP_M = 40
/** Longer stretches over water have no bridge. */
const BRIDGE_MAX_M = 520
const STREET_MIN_M = 60
const NAMED_MIN_M = 150
/** A task's address is on the side street that is nearest, at most this far. */
const ADDRESS_M = 140
/** No street is longer, because it ends at the border of its district. */
const DISTRICT_MAX_M = 3000

export function streetsOf(
  districts: District[],
  { random, places }: { random: Random; places: Place[] },
): { roads: Road[]; blocks: XY[][] } {
  const names = namer(
    random,
    places.map(({ street }) => street),
  )
  const main = mainRoads(districts, names.mainRoad)
  const quarters = districts
    .filter(({ density }) => density > 0.12)
    .map((one) => layOut(one, random))
  const side = quarters.flatMap(({ streets }) => streets)
  nameAddresses(side, places)
  for (const road of side)
    if (road.name === undefined && lengthOf(road.line) > NAMED_MIN_M) road.name = names.street()
  return {
    roads: [...main, ...side, ...parkPaths()],
    blocks: quarters.flatMap(({ blocks }) => blocks),
  }
}

interface Edge {
  ends: [string, string]
  line: XY[]
  lengthM: number
  wetM: number
  density: number
  kind: 'primary' | 'secondary' | 'tertiary'
  /** Not between two districts. */
  isEdgeOfMap: boolean
  name?: string
}

/** Borders of districts. Those on the shortest way between two quarters become primary roads. */
function mainRoads(districts: District[], newName: () => string): Road[] {
  const { edges, corners } = borders(districts)
  const middles = QUARTERS.map((quarter: Quarter) => nearestTo(onPlane(quarter), corners))
  for (const [from, to] of waysBetween(middles, corners)) {
    const way = shortestWay(edges, from, to)
    const name = newName()
    for (const edge of way) {
      edge.name ??= name
      edge.kind = 'primary'
    }
  }
  return edges.flatMap((edge) => {
    const isBridge = edge.wetM <= BRIDGE_MAX_M && (edge.kind === 'primary' || edge.wetM < 90)
    const lines = isBridge ? [edge.line] : outside(edge.line, isWater)
    if (edge.isEdgeOfMap || (edge.kind === 'tertiary' && edge.density < 0.05 && edge.lengthM < 900))
      return []
    const name = edge.name ?? newName()
    return lines.map((line) => ({ kind: edge.kind, name, line }))
  })
}

const keyOf = ([x, y]: XY) => `${Math.round(x / 4)} ${Math.round(y / 4)}`

function borders(districts: District[]): { edges: Edge[]; corners: Map<string, XY> } {
  const corners = new Map<string, XY>()
  const edges = new Map<string, Edge>()
  for (const { corners: ring, density } of districts)
    for (const [i, corner] of ring.entries()) {
      const next = ring[(i + 1) % ring.length]!
      const ends = [keyOf(corner), keyOf(next)].sort() as [string, string]
      if (ends[0] === ends[1]) continue
      corners.set(keyOf(corner), corner)
      const known = edges.get(ends.join())
      if (known) {
        known.isEdgeOfMap = false
        known.density = Math.max(known.density, density)
        known.kind = known.density > 0.3 ? 'secondary' : 'tertiary'
        continue
      }
      const line = dense([corner, next], STEP_M).map(bent)
      const wet = line.filter(isWater).length
      edges.set(ends.join(), {
        ends,
        line,
        lengthM: distance(corner, next),
        wetM: wet * STEP_M,
        density,
        isEdgeOfMap: true,
        kind: density > 0.3 ? 'secondary' : 'tertiary',
      })
    }
  return { edges: [...edges.values()], corners }
}

function nearestTo(point: XY, corners: Map<string, XY>): string {
  let [best, least] = ['', Number.POSITIVE_INFINITY]
  for (const [key, corner] of corners)
    if (distance(point, corner) < least) [best, least] = [key, distance(point, corner)]
  return best
}

/** From every quarter to the two nearest ones, and from the middle of the city outward in eight directions. */
function waysBetween(quarters: string[], corners: Map<string, XY>): [string, string][] {
  const at = (key: string) => corners.get(key)!
  const ways = quarters.flatMap((from) =>
    quarters
      .filter((to) => to !== from)
      .sort((a, b) => distance(at(a), at(from)) - distance(at(b), at(from)))
      .slice(0, 2)
      .map((to): [string, string] => [from, to]),
  )
  const oldTown = quarters[QUARTERS.findIndex(({ name }) => name === 'Altstadt')]!
  const far = ['Blankenese', 'Harburg', 'Bergedorf', 'Wilhelmsburg', 'Wandsbek', 'Eppendorf']
  const outward = [0, 1, 2, 3, 4, 5, 6, 7].map((i): [string, string] => {
    const angle = (i / 8) * 2 * Math.PI
    return [oldTown, nearestTo([Math.cos(angle) * 20_000, Math.sin(angle) * 13_000], corners)]
  })
  const radial = far.map((name): [string, string] => [
    oldTown,
    quarters[QUARTERS.findIndex((quarter) => quarter.name === name)]!,
  ])
  return [...ways, ...radial, ...outward]
}

/** Dijkstra. Water is expensive, so roads share a few bridges; wide water can't be crossed. */
function shortestWay(edges: Edge[], from: string, to: string): Edge[] {
  const roadsAt = new Map<string, Edge[]>()
  for (const edge of edges)
    for (const end of edge.ends) roadsAt.set(end, [...(roadsAt.get(end) ?? []), edge])
  const costs = new Map([[from, 0]])
  const arrivals = new Map<string, Edge>()
  const open = new Set([from])
  while (open.size > 0) {
    const here = [...open].reduce((a, b) => (costs.get(b)! < costs.get(a)! ? b : a))
    if (here === to) break
    open.delete(here)
    for (const edge of roadsAt.get(here)!) {
      if (edge.wetM > BRIDGE_MAX_M || edge.isEdgeOfMap) continue
      const there = edge.ends[edge.ends[0] === here ? 1 : 0]
      const known = edge.kind === 'primary' ? 0.7 : 1
      const cost = costs.get(here)! + edge.lengthM * known + edge.wetM * 4
      if (cost >= (costs.get(there) ?? Number.POSITIVE_INFINITY)) continue
      costs.set(there, cost)
      arrivals.set(there, edge)
      open.add(there)
    }
  }
  const way: Edge[] = []
  for (let here = to; arrivals.has(here); ) {
    const edge = arrivals.get(here)!
    way.push(edge)
    here = edge.ends[edge.ends[0] === here ? 1 : 0]
    if (here === from) break
  }
  return way
}

/** Long streets side by side, short ones across, and the blocks between them. */
function layOut({ middle, corners, density }: District, random: Random) {
  const streets: Road[] = []
  const blocks: XY[][] = []
  const turn = random.between(0, Math.PI)
  const [along, across]: XY[] = [
    [Math.cos(turn), Math.sin(turn)],
    [-Math.sin(turn), Math.cos(turn)],
  ]
  const reach = Math.max(...corners.map((corner) => distance(corner, middle)))
  const width = random.between(86, 118) * (1 + 0.9 * (1 - density))
  const depth = random.between(120, 210) * (1 + 0.9 * (1 - density))
  const at = (u: number, v: number): XY => [
    middle[0] + along![0] * u + across![0] * v,
    middle[1] + along![1] * u + across![1] * v,
  ]
  const add = (from: XY, to: XY, isShort: boolean) => {
    const part = clipToConvex([from, to], corners)
    if (part === undefined || distance(...part) < 25) return
    for (const line of outside(dense(part, STEP_M).map(bent), isUnbuilt))
      if (isShort || lengthOf(line) > STREET_MIN_M) streets.push({ kind: 'minor', line })
  }
  const rows = Math.floor(reach / width)
  for (let row = -rows; row <= rows; row += 1) {
    const v = row * width
    add(at(-reach, v), at(reach, v), false)
    // Every row has its own rhythm, so that the short streets don't form a grid.
    const cuts: number[] = []
    for (
      let u = -reach + random.between(0, depth);
      u < reach;
      u += depth * random.between(0.7, 1.4)
    )
      cuts.push(u)
    for (const u of cuts) if (!random.percent(14)) add(at(u, v), at(u, v + width), true)
    if (density > 0.42)
      for (const [i, u] of cuts.entries()) {
        const end = cuts[i + 1]
        if (end !== undefined)
          addBlock([at(u, v), at(end, v), at(end, v + width), at(u, v + width)])
      }
  }
  /** Houses stand back from the street; a corner outside of the district leaves the block empty. */
  function addBlock(ring: XY[]): void {
    const isWhole = ring.every((corner) => isInConvex(corner, corners))
    if (isWhole && !random.percent(8)) blocks.push(ring)
  }
  return { streets, blocks }
}

const isUnbuilt = (point: XY) => isWater(point) || isGreen(point)

function outside(line: XY[], isIn: (point: XY) => boolean): XY[][] {
  const parts: XY[][] = []
  let part: XY[] = []
  for (const point of line)
    if (isIn(point)) part = []
    else {
      if (part.length === 0) parts.push(part)
      part.push(point)
    }
  return parts.filter(({ length }) => length > 1)
}

/** The side street nearest to each task's place gets the name that the task uses. */
function nameAddresses(streets: Road[], places: Place[]): void {
  const long = streets.filter(({ line }) => lengthOf(line) >= NAMED_MIN_M)
  for (const { street, lat, lng } of places) {
    const point = onPlane({ lat, lng })
    let [best, least] = [undefined as Road | undefined, ADDRESS_M]
    for (const road of long) {
      if (road.name !== undefined || distance(road.line[0]!, point) > DISTRICT_MAX_M) continue
      const far = Math.min(...road.line.map((one) => distance(one, point)))
      if (far < least) [best, least] = [road, far]
    }
    if (best) best.name = street
  }
}

/** Two ways across each park. */
const parkPaths = (): Road[] =>
  GREENS.filter(({ kind }) => kind !== 'grass').flatMap(({ ring }) => {
    const { length } = ring
    return [0, 0.25].map((from): Road => {
      const [start, end] = [
        ring[Math.floor(length * from)]!,
        ring[Math.floor(length * (from + 0.5))]!,
      ]
      return {
        kind: 'path',
        line: dense([start, between(start, end, 0.5), end], STEP_M).map(wander),
      }
    })
  })

const wander = ([x, y]: XY): XY => [x + 25 * Math.sin(y / 90), y + 25 * Math.sin(x / 110)]

const lengthOf = (line: XY[]) =>
  line.reduce((sum, point, i) => sum + (i === 0 ? 0 : distance(point, line[i - 1]!)), 0)
