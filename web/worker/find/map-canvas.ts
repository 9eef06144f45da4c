/** Wrapper around MapLibre: opens, styles and moves the map. */
import type { FeatureCollection } from 'geojson'
import {
  Map as MapLibre,
  type MapSourceDataEvent,
  setWorkerUrl,
  type StyleSpecification,
} from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import './map.css'
import type { Fix } from '../phone/position.ts'
import { type Bounds, circleAround, ZOOM_MAX } from './groups.ts'
import { coloursIn, STREETS_FROM_ZOOM, type Streets, styleOf } from './map-style.ts'
import type { FoundPlace } from './town-search.ts'
import type { Point } from './wishes.ts'
import { loadWorld, world } from './world.ts'

setWorkerUrl(workerUrl)

const WHOLE_WORLD = { center: [10, 30] as [number, number], zoom: 1 }
/** Room for the pins themselves, and for the search field and the buttons, which lie over the map. */
const PADDING_PX = { top: 96, bottom: 48, left: 80, right: 80 }
const MOVE_MS = 200
/** Zoom for a single pin, so that its surroundings are still recognizable. */
const ZOOM_OF_ONE = 12
/** Zoom for a place that was searched: a quarter with its main streets. */
const ZOOM_OF_PLACE = 13
/** The layers that name streets, in both schemas. */
const STREET_NAMES = ['transportation_name', 'roads']

export type Canvas = ReturnType<typeof openCanvas>

export function openCanvas(
  frame: HTMLElement,
  { label, language }: { label: string; language: string },
) {
  let streets: Streets | undefined
  let hasWorld = false
  const draw = () => styleOf(coloursIn(frame), { language, streets, hasWorld })
  const map = openMap(frame, { label, style: draw() })
  const noteWorld = ({ sourceId, isSourceLoaded }: MapSourceDataEvent) => {
    if (sourceId !== 'world' || !isSourceLoaded || world().features.length === 0) return
    map.off('sourcedata', noteWorld)
    hasWorld = true
    map.setPaintProperty('water', 'background-color', coloursIn(frame).water)
  }
  map.on('sourcedata', noteWorld)

  let aim = map.getZoom()
  let here: Fix | null = null
  const drawHere = () => {
    const source = map.getSource('here') as { setData?(data: object): void } | undefined
    source?.setData?.(accuracyOf(here))
  }
  const redraw = () => {
    map.setStyle(draw())
    map.once('styledata', drawHere)
  }
  map.once('styledata', drawHere)
  let isClosed = false
  void loadWorld().then(
    () => {
      if (!isClosed) redraw()
    },
    // Offline before the first visit: streets and pins are shown without the world.
    () => {},
  )
  const stopWatching = watchTheme(redraw)

  return {
    map,
    showStreets(found: Streets) {
      streets = found
      redraw()
    },
    showHere(position: Fix | null) {
      here = position
      drawHere()
    },
    fit(bounds: Bounds, { isAtOnce = false } = {}) {
      map.fitBounds(bounds, {
        padding: PADDING_PX,
        maxZoom: isAtOnce ? ZOOM_OF_ONE : ZOOM_MAX,
        duration: isAtOnce ? 0 : MOVE_MS,
      })
    },
    goTo: ({ lat, lng }: Point) =>
      map.easeTo({
        center: [lng, lat],
        zoom: Math.max(map.getZoom(), ZOOM_OF_ONE),
        duration: MOVE_MS,
      }),
    /** Jumps: an animation across the world would load tiles of everything in between. */
    show: ({ lat, lng }: Point) => map.jumpTo({ center: [lng, lat], zoom: ZOOM_OF_PLACE }),
    /** Named streets of the tiles that are loaded, with a point of each. */
    streetsInSight: () => (streets ? streetsIn(map, streets) : []),
    /** Whether the map is close enough for streets, and has none for its center. */
    async isUncovered(): Promise<boolean> {
      const zoom = map.getZoom()
      if (zoom < STREETS_FROM_ZOOM + 1) return false
      return (
        streets === undefined || !(await streets.covers(map.getCenter(), zoom).catch(() => true))
      )
    },
    /** Adds up quick taps: two taps are two steps, even during the animation. */
    zoomBy(steps: number) {
      aim = (map.isMoving() ? aim : map.getZoom()) + steps
      map.easeTo({ zoom: aim, duration: MOVE_MS })
    },
    close() {
      isClosed = true
      stopWatching()
      map.remove()
    },
  }
}

function openMap(
  frame: HTMLElement,
  { label, style }: { label: string; style: StyleSpecification },
): MapLibre {
  const map = new MapLibre({
    container: frame,
    style,
    ...WHOLE_WORLD,
    maxZoom: 18,
    attributionControl: false,
    dragRotate: false,
    pitchWithRotate: false,
    touchPitch: false,
    locale: { 'Map.Title': label },
  })
  map.touchZoomRotate.disableRotation()
  map.keyboard.disableRotation()
  // Ignore tiles that can't be loaded offline; the map simply lacks them.
  map.on('error', () => {})
  return map
}

/** The circle in which the phone is. */
const accuracyOf = (here: Fix | null): FeatureCollection => ({
  type: 'FeatureCollection',
  features:
    here === null
      ? []
      : [
          {
            type: 'Feature',
            properties: {},
            geometry: { type: 'Polygon', coordinates: [circleAround(here, here.accuracyM)] },
          },
        ],
})

function streetsIn(map: MapLibre, { layers }: Streets): FoundPlace[] {
  const sourceLayer = STREET_NAMES.find((name) => layers.includes(name))
  if (sourceLayer === undefined || map.getSource('streets') === undefined) return []
  const found = new Map<string, FoundPlace>()
  for (const { properties, geometry } of map.querySourceFeatures('streets', { sourceLayer })) {
    const { name } = properties as { name?: string }
    const line = geometry.type === 'LineString' ? geometry.coordinates : []
    const [lng, lat] = line[Math.floor(line.length / 2)] ?? []
    if (name && lng !== undefined && lat !== undefined)
      found.set(name, { key: `street ${name}`, name, detail: '', lng, lat })
  }
  return [...found.values()]
}

/** Calls back when the phone's or the worker's own theme changes. */
function watchTheme(tell: () => void): () => void {
  const night = matchMedia('(prefers-color-scheme: dark)')
  night.addEventListener('change', tell)
  const choice = new MutationObserver(tell)
  choice.observe(document.documentElement, { attributeFilter: ['data-theme'] })
  return () => {
    night.removeEventListener('change', tell)
    choice.disconnect()
  }
}
