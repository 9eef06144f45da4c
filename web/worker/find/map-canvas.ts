/** Wrapper around MapLibre: opens, styles and moves the map. */
import { Map as MapLibre, setWorkerUrl } from 'maplibre-gl'
import workerUrl from 'maplibre-gl/dist/maplibre-gl-worker.mjs?url'
import './map.css'
import type { Fix } from '../phone/position.ts'
import { type Bounds, circleAround, ZOOM_MAX } from './groups.ts'
import { coloursIn, type Streets, styleOf } from './map-style.ts'
import type { Point } from './wishes.ts'

setWorkerUrl(workerUrl)

const WHOLE_WORLD = { center: [10, 30] as [number, number], zoom: 1 }
const PADDING_PX = 64
const MOVE_MS = 200
/** Zoom for a single pin, so that its surroundings are still recognizable. */
const ZOOM_OF_ONE = 12

export type Canvas = ReturnType<typeof openCanvas>

export function openCanvas(
  frame: HTMLElement,
  { label, language }: { label: string; language: string },
) {
  let streets: Streets | undefined
  const draw = () => styleOf(coloursIn(frame), { language, streets })
  const map = new MapLibre({
    container: frame,
    style: draw(),
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

  let aim = map.getZoom()
  let here: Fix | null = null
  const drawHere = () => {
    const source = map.getSource('here') as { setData?(data: object): void } | undefined
    source?.setData?.({
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
  }
  const redraw = () => {
    map.setStyle(draw())
    map.once('styledata', drawHere)
  }
  map.once('styledata', drawHere)
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
    /** Adds up quick taps: two taps are two steps, even during the animation. */
    zoomBy(steps: number) {
      aim = (map.isMoving() ? aim : map.getZoom()) + steps
      map.easeTo({ zoom: aim, duration: MOVE_MS })
    },
    close() {
      stopWatching()
      map.remove()
    },
  }
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
