/** The map style: the bundled world, and from close up the streets of the server's own tiles. */
import type { LayerSpecification, StyleSpecification } from 'maplibre-gl'
import world from 'virtual:world'
import { directionOf } from '../text/figures.ts'

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
}

const STREETS_FROM_ZOOM = 9
// No glyphs are downloaded: labels use the phone's own font.
const FONT = { 'text-font': ['system-ui'] }

export function styleOf(
  colours: Colours,
  { language, streets }: { language: string; streets: Streets | undefined },
): StyleSpecification {
  return {
    version: 8,
    // Switch themes without a transition.
    transition: { duration: 0, delay: 0 },
    sources: {
      world: { type: 'geojson', data: world, maxzoom: 8 },
      ...(streets === undefined ? {} : { streets: { type: 'vector', url: 'pmtiles://streets' } }),
      here: { type: 'geojson', data: { type: 'FeatureCollection', features: [] } },
    },
    layers: [
      { id: 'water', type: 'background', paint: { 'background-color': colours.water } },
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
        paint: { 'line-color': colours.line, 'line-width': 0.7, 'line-opacity': 0.7 },
      },
      ...(streets === undefined ? [] : roadsOf(colours, streets.layers)),
      {
        id: 'here',
        type: 'fill',
        source: 'here',
        paint: { 'fill-color': colours.here, 'fill-opacity': 0.2 },
      },
      ...namesOf(colours, language),
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
        ['>=', ['get', 'size'], ['step', ['zoom'], 4e6, 4, 1.5e6, 5, 5e5, 6, 2e5, 7, 0]],
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

type Part = 'water' | 'green' | 'building' | 'road' | 'name'

/** OpenMapTiles and Protomaps name the same layers differently. */
const PARTS: Record<Part, string[]> = {
  green: ['landcover', 'park', 'landuse'],
  water: ['water'],
  building: ['building', 'buildings'],
  road: ['transportation', 'roads'],
  name: ['transportation_name', 'roads'],
}
const GREEN =
  'grass wood forest park garden meadow scrub farmland nature_reserve cemetery pitch golf_course allotments'.split(
    ' ',
  )
const RAILS = ['rail', 'transit', 'ferry']
const MAIN_ROADS = ['motorway', 'trunk', 'primary', 'secondary', 'highway', 'major_road']

const within = (part: Part, layers: string[]) => PARTS[part].filter((one) => layers.includes(one))
const kindOf = ['coalesce', ['get', 'class'], ['get', 'kind'], '']

function areasOf(colours: Colours, layers: string[]): LayerSpecification[] {
  const area = (part: 'green' | 'water' | 'building', minzoom: number) =>
    within(part, layers).map(
      (layer): LayerSpecification => ({
        id: `streets-${layer}`,
        type: 'fill',
        source: 'streets',
        'source-layer': layer,
        minzoom,
        ...(part === 'green' && layer !== 'park'
          ? { filter: ['in', kindOf, ['literal', GREEN]] as never }
          : {}),
        paint: { 'fill-color': colours[part] },
      }),
    )
  return [
    ...area('green', STREETS_FROM_ZOOM),
    ...area('water', STREETS_FROM_ZOOM),
    ...area('building', 13),
  ]
}

function roadsOf(colours: Colours, layers: string[]): LayerSpecification[] {
  const isRoad = ['!', ['in', kindOf, ['literal', RAILS]]] as never
  const isMain = ['in', kindOf, ['literal', MAIN_ROADS]]
  const width = (extra: number) =>
    [
      'interpolate',
      ['exponential', 1.6],
      ['zoom'],
      9,
      ['case', isMain, 0.8 + extra, 0.2],
      14,
      ['case', isMain, 5 + extra, 2.5 + extra],
      18,
      ['case', isMain, 24 + extra, 16 + extra],
    ] as never
  const round = { 'line-cap': 'round', 'line-join': 'round' } as const
  return [
    ...within('road', layers).flatMap((layer): LayerSpecification[] =>
      (['edge', 'road'] as const).map((part) => ({
        id: `streets-${layer}-${part}`,
        type: 'line',
        source: 'streets',
        'source-layer': layer,
        minzoom: STREETS_FROM_ZOOM,
        filter: isRoad,
        layout: round,
        paint: {
          'line-color': part === 'edge' ? colours.line : colours.road,
          'line-opacity': part === 'edge' ? 0.35 : 1,
          'line-width': width(part === 'edge' ? 1.5 : 0),
        },
      })),
    ),
    ...within('name', layers).map(
      (layer): LayerSpecification => ({
        id: `streets-${layer}-name`,
        type: 'symbol',
        source: 'streets',
        'source-layer': layer,
        minzoom: 12,
        layout: {
          ...FONT,
          'symbol-placement': 'line',
          'text-field': ['coalesce', ['get', 'name'], ''],
          'text-size': 12,
        },
        paint: {
          'text-color': colours.label,
          'text-halo-color': colours.road,
          'text-halo-width': 1.5,
        },
      }),
    ),
  ]
}
