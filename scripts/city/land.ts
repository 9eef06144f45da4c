/** The water and the green of the demo city, drawn by hand: a river like the Elbe, a lake like the Alster, parks. */
import { band, coverOf, curve, onPlane, type XY } from './plane.ts'

type Lnglat = [lng: number, lat: number]
type Stretch = [lng: number, lat: number, widthM: number]

const place = ([lng, lat]: Lnglat): XY => onPlane({ lat, lng })
const river = (stretches: Stretch[]): XY[] =>
  band(
    curve(
      stretches.map(([lng, lat, width]): [number, number, number] => [...place([lng, lat]), width]),
    ),
  )
const lake = (shore: Lnglat[]): XY[] => curve(shore.map(place), { isClosed: true })

const NORTHERN_ARM: Stretch[] = [
  [10.142, 53.42, 320],
  [10.1, 53.438, 320],
  [10.068, 53.459, 380],
  [10.063, 53.48, 250],
  [10.056, 53.5, 250],
  [10.046, 53.516, 260],
  [10.03, 53.5285, 280],
  [10.01, 53.5325, 290],
  [9.99, 53.5345, 320],
  [9.972, 53.5405, 380],
  [9.945, 53.5412, 420],
  [9.92, 53.5405, 460],
  [9.895, 53.5395, 520],
  [9.87, 53.5415, 620],
  [9.845, 53.5445, 900],
  [9.82, 53.5465, 1300],
  [9.79, 53.5495, 1700],
  [9.74, 53.554, 2100],
]
const SOUTHERN_ARM: Stretch[] = [
  [10.066, 53.461, 260],
  [10.03, 53.4645, 260],
  [10.005, 53.4715, 260],
  [9.983, 53.4765, 260],
  [9.96, 53.482, 280],
  [9.945, 53.492, 280],
  [9.932, 53.507, 300],
  [9.925, 53.522, 320],
  [9.912, 53.534, 360],
  [9.897, 53.5395, 380],
]
const STREAMS: Stretch[][] = [
  [
    [10.29, 53.496, 26],
    [10.24, 53.4985, 26],
    [10.19, 53.5, 28],
    [10.15, 53.504, 30],
    [10.11, 53.52, 34],
    [10.07, 53.5355, 38],
    [10.046, 53.5375, 44],
    [10.026, 53.5345, 60],
    [10.018, 53.531, 70],
  ],
  [
    [10.075, 53.64, 22],
    [10.05, 53.618, 24],
    [10.022, 53.6075, 26],
    [9.999, 53.6035, 28],
    [9.9932, 53.5945, 30],
    [9.9938, 53.585, 34],
    [9.999, 53.5745, 60],
  ],
  [
    [9.9995, 53.5603, 60],
    [9.9965, 53.5578, 60],
  ],
]
/** Basins of the harbor, from the river to the south. */
const BASINS: [Lnglat, Lnglat][] = [
  [
    [9.951, 53.54],
    [9.944, 53.5265],
  ],
  [
    [9.964, 53.5405],
    [9.958, 53.5225],
  ],
  [
    [9.977, 53.538],
    [9.97, 53.5195],
  ],
  [
    [9.99, 53.534],
    [9.983, 53.517],
  ],
  [
    [10.003, 53.533],
    [9.998, 53.516],
  ],
  [
    [10.016, 53.532],
    [10.013, 53.517],
  ],
]

export const WATER: { kind: 'river' | 'lake' | 'dock'; ring: XY[] }[] = [
  { kind: 'river', ring: river(NORTHERN_ARM) },
  { kind: 'river', ring: river(SOUTHERN_ARM) },
  ...STREAMS.map((stretches) => ({ kind: 'river' as const, ring: river(stretches) })),
  ...BASINS.map(([from, to]) => ({
    kind: 'dock' as const,
    ring: river([
      [...from, 150],
      [...to, 150],
    ]),
  })),
  {
    kind: 'lake',
    ring: lake([
      [9.9985, 53.5595],
      [9.9953, 53.5645],
      [9.9972, 53.5705],
      [10.0003, 53.5765],
      [10.0045, 53.577],
      [10.0062, 53.572],
      [10.0066, 53.566],
      [10.0055, 53.561],
      [10.0025, 53.5588],
    ]),
  },
  {
    kind: 'lake',
    ring: lake([
      [9.9925, 53.5572],
      [9.9968, 53.5582],
      [9.9975, 53.5563],
      [9.9935, 53.5553],
    ]),
  },
]

export const WATER_NAMES: { name: string; line: XY[] }[] = [
  { name: 'Elbe', line: curve(NORTHERN_ARM.slice(9).map(([lng, lat]) => place([lng, lat]))) },
  {
    name: 'Norderelbe',
    line: curve(NORTHERN_ARM.slice(2, 7).map(([lng, lat]) => place([lng, lat]))),
  },
  {
    name: 'Süderelbe',
    line: curve(SOUTHERN_ARM.slice(0, 8).map(([lng, lat]) => place([lng, lat]))),
  },
  {
    name: 'Alster',
    line: [place([9.9995, 53.5625]), place([10.0015, 53.5735])],
  },
]

interface Green {
  kind: 'park' | 'wood' | 'grass'
  name?: string
  ring: XY[]
}

/** An uneven ellipse. */
function patch(lng: number, lat: number, wideM: number, highM: number, turn: number): XY[] {
  const [x, y] = place([lng, lat])
  const corners = Array.from({ length: 11 }, (_, i): XY => {
    const angle = (i / 11) * 2 * Math.PI
    const uneven =
      1 + 0.14 * Math.sin(3 * angle + lng * 900) + 0.08 * Math.sin(5 * angle + lat * 700)
    const [dx, dy] = [Math.cos(angle) * wideM * uneven, Math.sin(angle) * highM * uneven]
    return [
      x + dx * Math.cos(turn) - dy * Math.sin(turn),
      y + dx * Math.sin(turn) + dy * Math.cos(turn),
    ]
  })
  return curve(corners, { isClosed: true, steps: 4 })
}

export const GREENS: Green[] = [
  { kind: 'park', name: 'Sommerpark', ring: patch(10.028, 53.6045, 820, 480, 0.2) },
  { kind: 'park', name: 'Wallgarten', ring: patch(9.9805, 53.5625, 210, 480, 0.3) },
  { kind: 'park', name: 'Westpark', ring: patch(9.897, 53.577, 1050, 800, 0.5) },
  { kind: 'park', name: 'Ostpark', ring: patch(10.092, 53.556, 620, 380, 0.1) },
  { kind: 'park', name: 'Uferpark', ring: patch(9.9885, 53.569, 130, 520, -0.35) },
  { kind: 'park', name: 'Elbgarten', ring: patch(9.874, 53.5512, 700, 210, -0.12) },
  { kind: 'park', name: 'Inselpark', ring: patch(10.023, 53.484, 620, 420, 0.4) },
  { kind: 'park', name: 'Marktpark', ring: patch(9.965, 53.5685, 150, 120, 0.6) },
  { kind: 'park', name: 'Hügelpark', ring: patch(9.963, 53.4555, 420, 300, 0.8) },
  { kind: 'park', name: 'Schlosspark', ring: patch(10.226, 53.4845, 260, 190, 0.2) },
  { kind: 'park', name: 'Kirchhofspark', ring: patch(10.064, 53.6145, 1100, 620, 0.1) },
  { kind: 'park', name: 'Bürgerpark', ring: patch(10.087, 53.582, 520, 330, 0.5) },
  { kind: 'park', name: 'Lindenpark', ring: patch(9.935, 53.5665, 260, 190, 0.2) },
  { kind: 'wood', ring: patch(9.915, 53.447, 2100, 1300, 0.4) },
  { kind: 'wood', ring: patch(9.828, 53.597, 1700, 900, 0.2) },
  { kind: 'wood', ring: patch(10.195, 53.552, 1600, 900, -0.3) },
  { kind: 'wood', ring: patch(10.246, 53.515, 1100, 700, 0.5) },
  { kind: 'wood', ring: patch(10.15, 53.605, 1300, 700, 0.3) },
  { kind: 'wood', ring: patch(9.79, 53.575, 900, 420, 0.1) },
  { kind: 'grass', ring: patch(10.13, 53.465, 1900, 800, 0.4) },
  { kind: 'grass', ring: patch(9.85, 53.505, 1800, 1100, 0.2) },
  { kind: 'grass', ring: patch(10.1, 53.495, 1300, 700, 0.9) },
]

const MOTORWAYS: Lnglat[][] = [
  [
    [9.913, 53.64],
    [9.908, 53.6],
    [9.914, 53.57],
    [9.909, 53.545],
    [9.918, 53.515],
    [9.944, 53.478],
    [9.95, 53.45],
    [9.94, 53.42],
  ],
  [
    [10.135, 53.64],
    [10.118, 53.6],
    [10.104, 53.565],
    [10.082, 53.542],
    [10.052, 53.522],
    [10.036, 53.5],
    [10.026, 53.47],
    [10.03, 53.42],
  ],
  [
    [10.082, 53.542],
    [10.12, 53.527],
    [10.17, 53.522],
    [10.22, 53.508],
    [10.3, 53.5],
  ],
]
const RAILWAYS: Lnglat[][] = [
  [
    [9.74, 53.572],
    [9.811, 53.566],
    [9.87, 53.562],
    [9.935, 53.5535],
    [9.958, 53.5585],
    [9.978, 53.5665],
    [9.9885, 53.56],
    [10.006, 53.553],
    [10.02, 53.545],
    [10.08, 53.53],
    [10.15, 53.507],
    [10.206, 53.491],
    [10.3, 53.478],
  ],
  [
    [10.006, 53.553],
    [10.016, 53.538],
    [10.02, 53.52],
    [10.001, 53.499],
    [9.99, 53.475],
    [9.991, 53.457],
    [9.97, 53.42],
  ],
  [
    [10.006, 53.553],
    [10.03, 53.557],
    [10.045, 53.572],
    [10.041, 53.592],
    [10.02, 53.615],
    [10.01, 53.64],
  ],
]
const lineOf = (points: Lnglat[]) => curve(points.map(place))

export const LINES: { kind: 'motorway' | 'rail'; line: XY[] }[] = [
  ...MOTORWAYS.map((points) => ({ kind: 'motorway' as const, line: lineOf(points) })),
  ...RAILWAYS.map((points) => ({ kind: 'rail' as const, line: lineOf(points) })),
]

export const isWater = coverOf(WATER.map(({ ring }) => ring))
export const isGreen = coverOf(GREENS.map(({ ring }) => ring))
