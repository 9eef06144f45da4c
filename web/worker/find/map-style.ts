/** The map style: the bundled world, and from close up the streets of the server's own tiles. */
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import { directionOf } from '../text/figures.ts'
import type { FoundPlace } from './town-search.ts'
import type { Point } from './wishes.ts'
import { world } from './world.ts'

/** Theme colors. Listing the classes makes the build keep their colors. */
const COLOURS = {
  water: 'text-map-water',
  land: 'text-map-land',
  green: 'text-map-green',
  road: 'text-map-road',
  building: 'text-map-building',
  line: 'text-control',
  label: 'text-text',
  quiet: 'text-muted',
  here: 'text-info',
}
export type Colours = Record<keyof typeof COLOURS, string>

/** Resolves the current theme colors, since the map's canvas can't use CSS variables. */
export function coloursIn(place: HTMLElement): Colours {
  const probe = document.createElement('span')
  place.append(probe)
  const found = Object.entries(COLOURS).map(([name, style]) => {
    probe.className = style
    return [name, getComputedStyle(probe).color]
  })
  probe.remove()
  return Object.fromEntries(found) as Colours
}

export interface Streets {
  /** Names of the layers in the tiles, in the OpenMapTiles or Protomaps schema. */
  layers: string[]
  attribution: string
  /** Whether there is a tile for this point. */
  covers(point: Point, zoom: number): Promise<boolean>
  places(): Promise<FoundPlace[]>
}

export const STREETS_FROM_ZOOM = 9
// No glyphs are downloaded: labels use the phone's own font.
const FONT = { 'text-font': ['system-ui'] }

export function styleOf(
  colours: Colours,
  {
    language,
    streets,
    hasWorld,
  }: { language: string; streets: Streets | undefined; hasWorld: boolean },
): StyleSpecification {
  return {
    version: 8,
    // Switch themes without a transition.
    transition: { duration: 0, delay: 0 },
    sources: {
      world: { type: 'geojson', data: world(), maxzoom: 8 },
      ...(streets === undefined ? {} : { streets: { type: 'vector', url: 'pmtiles://streets' } }),
      here: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    },
    layers: [
      {
        id: 'water',
        type: 'background',
        // Until the land is drawn, everything is land: most people would see an ocean turn into their city.
        paint: { 'background-color': hasWorld ? colours.water : colours.land },
      },
      {
        id: 'land',
        type: 'fill',
        source: 'world',
        filter: ['==', ['get', 'kind'], 'land'],
        paint: { 'fill-color': colours.land },
      },
      ...(streets === undefined ? [] : areasOf(colours, streets.layers)),
      {
        id: 'borders',
        type: 'line',
        source: 'world',
        filter: ['==', ['get', 'kind'], 'border'],
        paint: {
          'line-color': colours.line,
          'line-width': ['interpolate', ['linear'], ['zoom'], 2, 0.5, 7, 1.2],
          'line-opacity': 0.7,
        },
      },
      ...(streets === undefined ? [] : roadsOf(colours, streets.layers)),
      {
        id: 'here',
        type: 'fill',
        source: 'here',
        paint: {
          'fill-color': colours.here,
          'fill-opacity': 0.15,
          'fill-outline-color': colours.here,
        },
      },
      ...(streets === undefined ? [] : streetNames(colours, streets.layers)),
      ...namesOf(colours, language),
      ...(streets === undefined ? [] : placeNames(colours, streets.layers)),
    ],
  }
}

/** Larger places appear first; from close up, the street tiles have their own labels. */
function namesOf(colours: Colours, language: string): LayerSpecification[] {
  const halo = { 'text-halo-color': colours.land, 'text-halo-width': 1.5 }
  return [
    {
      id: 'cities',
      type: 'symbol',
      source: 'world',
      minzoom: 3,
      filter: [
        'all',
        ['==', ['get', 'kind'], 'city'],
        ['>=', ['get', 'size'], ['step', ['zoom'], 4e6, 4, 1.5e6, 5, 6e5, 6, 0]],
      ],
      layout: {
        ...FONT,
        'text-field': ['get', 'name'],
        'text-size': 13,
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: { 'text-color': colours.label, ...halo },
    },
    {
      id: 'countries',
      type: 'symbol',
      source: 'world',
      maxzoom: 6,
      filter: [
        'all',
        ['==', ['get', 'kind'], 'country'],
        ['>=', ['get', 'size'], ['step', ['zoom'], 1500, 2, 400, 3, 80, 4, 0]],
      ],
      layout: {
        ...FONT,
        'text-field': countryNames(language),
        'text-size': 13,
        'text-letter-spacing': 0.05,
        'text-max-width': 7,
        'symbol-sort-key': ['-', ['get', 'size']],
      },
      paint: { 'text-color': colours.quiet, ...halo },
    },
  ]
}

/**
 * Country names by UN M49 code, which the browser can translate into every language. The map can't render right-to-left
 * text, which would come out letter by letter and backwards, so those languages get English names.
 */
function countryNames(language: string) {
  const drawn = directionOf(language) === 'rtl' ? 'en' : language
  const names = new Intl.DisplayNames(drawn, { type: 'region', fallback: 'none' })
  const known = Array.from({ length: 900 }, (_, number) => {
    const code = String(number).padStart(3, '0')
    const { region } = new Intl.Locale(`und-${code}`)
    const name = region?.length === 2 ? names.of(region) : undefined
    return name === undefined ? [] : [code, name]
  }).flat()
  return ['match', ['get', 'code'], ...known, ''] as never
}

type Part = 'water' | 'green' | 'building' | 'road' | 'name' | 'place' | 'waterName'

/** OpenMapTiles and Protomaps name the same layers differently. */
const PARTS: Record<Part, string[]> = {
  green: ['landcover', 'park', 'landuse'],
  water: ['water'],
  building: ['building', 'buildings'],
  road: ['transportation', 'roads'],
  name: ['transportation_name', 'roads'],
  place: ['place', 'places'],
  waterName: ['water_name'],
}
const GREEN =
  'grass wood forest park garden meadow scrub farmland nature_reserve cemetery pitch golf_course allotments'.split(
    ' ',
  )
const RAILS = ['rail', 'transit']
const NOT_ROADS = [...RAILS, 'ferry', 'pier', 'aerialway']
const MAIN_ROADS = ['motorway', 'trunk', 'primary', 'secondary', 'highway', 'major_road']
const PATHS = ['path', 'track', 'footway', 'service']
/** Larger places are on the world map. */
const QUARTERS =
  'suburb quarter borough macrohood neighbourhood neighborhood town village hamlet locality'.split(
    ' ',
  )

const within = (part: Part, layers: string[]) => PARTS[part].filter((one) => layers.includes(one))
const kindOf = ['coalesce', ['get', 'class'], ['get', 'kind'], '']
const isOneOf = (kinds: string[]) => ['in', kindOf, ['literal', kinds]]

function areasOf(colours: Colours, layers: string[]): LayerSpecification[] {
  const area = (part: 'green' | 'water' | 'building', minzoom: number) =>
    within(part, layers).map(
      (layer): LayerSpecification => ({
        id: `streets-${layer}`,
        type: 'fill',
        source: 'streets',
        'source-layer': layer,
        minzoom,
        // Protomaps has the names of water as points in the same layer.
        filter: (part === 'green' && layer !== 'park'
          ? isOneOf(GREEN)
          : ['==', ['geometry-type'], 'Polygon']) as never,
        paint: {
          'fill-color': colours[part],
          ...(part === 'building'
            ? { 'fill-opacity': ['interpolate', ['linear'], ['zoom'], 13, 0, 14.5, 1] as never }
            : {}),
        },
      }),
    )
  return [
    ...area('green', STREETS_FROM_ZOOM),
    ...area('water', STREETS_FROM_ZOOM),
    ...area('building', 13),
  ]
}

const ROUND = { 'line-cap': 'round', 'line-join': 'round' } as const

/** Wide roads lie over narrow ones, and the edges of all under all roads, so that crossings are open. */
function roadsOf(colours: Colours, layers: string[]): LayerSpecification[] {
  const isMain = isOneOf(MAIN_ROADS)
  const isPath = isOneOf(PATHS)
  const width = (extra: number) =>
    [
      'interpolate',
      ['exponential', 1.6],
      ['zoom'],
      9,
      ['case', isMain, 0.9 + extra, 0.1],
      12,
      ['case', isMain, 2.4 + extra, isPath, 0.4, 0.8 + extra * 0.5],
      14,
      ['case', isMain, 6 + extra, isPath, 1, 3 + extra],
      18,
      ['case', isMain, 26 + extra, isPath, 4, 16 + extra],
    ] as never
  return within('road', layers).flatMap((layer): LayerSpecification[] => [
    ...(['edge', 'road'] as const).map(
      (part): LayerSpecification => ({
        id: `streets-${layer}-${part}`,
        type: 'line',
        source: 'streets',
        'source-layer': layer,
        minzoom: STREETS_FROM_ZOOM,
        filter: ['!', isOneOf(NOT_ROADS)] as never,
        layout: {
          ...ROUND,
          'line-sort-key': ['case', isMain, 2, isPath, 0, 1] as never,
        },
        paint: {
          'line-color': part === 'edge' ? colours.line : colours.road,
          'line-opacity': part === 'edge' ? 0.4 : 1,
          'line-width': width(part === 'edge' ? 1.5 : 0),
        },
      }),
    ),
    {
      id: `streets-${layer}-rail`,
      type: 'line',
      source: 'streets',
      'source-layer': layer,
      minzoom: 11,
      filter: isOneOf(RAILS) as never,
      paint: { 'line-color': colours.line, 'line-width': 1.2, 'line-dasharray': [4, 2] },
    },
  ])
}

function streetNames(colours: Colours, layers: string[]): LayerSpecification[] {
  const name = ['coalesce', ['get', 'name'], ''] as never
  const along = (part: 'name' | 'waterName', minzoom: number, color: string, halo: string) =>
    within(part, layers).map(
      (layer): LayerSpecification => ({
        id: `streets-${layer}-name`,
        type: 'symbol',
        source: 'streets',
        'source-layer': layer,
        minzoom,
        layout: {
          ...FONT,
          'symbol-placement': 'line',
          'text-field': name,
          'text-size': part === 'waterName' ? 13 : 12,
          ...(part === 'waterName' ? { 'text-letter-spacing': 0.15 } : {}),
        },
        paint: { 'text-color': color, 'text-halo-color': halo, 'text-halo-width': 1.5 },
      }),
    )
  return [
    ...along('waterName', 11, colours.quiet, colours.water),
    ...along('name', 13, colours.label, colours.road),
  ]
}

/** Quarters and villages. They fade from close up, where streets are more useful. */
const placeNames = (colours: Colours, layers: string[]): LayerSpecification[] =>
  within('place', layers).map((layer) => ({
    id: `streets-${layer}`,
    type: 'symbol',
    source: 'streets',
    'source-layer': layer,
    minzoom: 10.5,
    maxzoom: 16,
    filter: ['all', isOneOf(QUARTERS), ['!=', ['get', 'kind_detail'], 'city']] as never,
    layout: {
      ...FONT,
      'text-field': ['coalesce', ['get', 'name'], ''],
      'text-size': ['interpolate', ['linear'], ['zoom'], 11, 12, 14, 15],
      'text-letter-spacing': 0.04,
      'text-max-width': 8,
      'text-padding': 6,
    },
    paint: {
      'text-color': colours.quiet,
      'text-halo-color': colours.land,
      'text-halo-width': 1.5,
    },
  }))
