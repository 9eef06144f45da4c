/** Hamburg as the demo shows it: real quarters and made-up streets, so that no task is about a real shop or person. */
import type { Random } from './random.ts'

export interface Place {
  /** Without the house number, for titles: before accepting a task, workers see only its area. */
  street: string
  quarter: string
  address: string
  lat: number
  lng: number
}

export interface Quarter {
  name: string
  lat: number
  lng: number
}

export const QUARTERS = [
  { name: 'St. Pauli', lat: 53.553, lng: 9.964 },
  { name: 'Altona', lat: 53.55, lng: 9.944 },
  { name: 'Ottensen', lat: 53.5545, lng: 9.928 },
  { name: 'Sternschanze', lat: 53.5625, lng: 9.964 },
  { name: 'Eimsbüttel', lat: 53.575, lng: 9.956 },
  { name: 'Eppendorf', lat: 53.59, lng: 9.985 },
  { name: 'Winterhude', lat: 53.595, lng: 10.002 },
  { name: 'Barmbek', lat: 53.587, lng: 10.044 },
  { name: 'Uhlenhorst', lat: 53.5725, lng: 10.017 },
  { name: 'St. Georg', lat: 53.556, lng: 10.014 },
  { name: 'HafenCity', lat: 53.542, lng: 9.999 },
  { name: 'Hammerbrook', lat: 53.546, lng: 10.026 },
  { name: 'Wandsbek', lat: 53.572, lng: 10.069 },
  { name: 'Altstadt', lat: 53.5495, lng: 9.997 },
  { name: 'Neustadt', lat: 53.552, lng: 9.983 },
  { name: 'Wilhelmsburg', lat: 53.497, lng: 10.006 },
  { name: 'Harburg', lat: 53.461, lng: 9.983 },
  { name: 'Blankenese', lat: 53.561, lng: 9.811 },
  { name: 'Bergedorf', lat: 53.489, lng: 10.211 },
] as const satisfies Quarter[]

const STREETS = [
  'Fährstieg',
  'Ankertwiete',
  'Kastanienkamp',
  'Möwenredder',
  'Lotsenkamp',
  'Alter Speicherweg',
  'Teerhofdamm',
  'Heringstwiete',
  'Kranbrook',
  'Laternenstieg',
  'Erlenkoppel',
  'Schleusenhof',
  'Kontorgang',
  'Wattweg',
  'Leuchtturmstieg',
  'Bootsbauerweg',
  'Pappelredder',
  'Segelmachergang',
  'Brombeerkoppel',
  'Flutgraben',
  'Deichvogtweg',
  'Krabbenstieg',
  'Moorkoppel',
  'Kapitänskamp',
  'Lindenredder',
  'Tidenweg',
  'Seilerhof',
  'Marschdamm',
  'Windmühlenstieg',
  'Holunderweg',
  'Zollspeicher',
  'Elbkieselweg',
  'Fischkamp',
  'Quittenweg',
  'Salzhändlertwiete',
  'Wacholderkamp',
  'Uferkoppel',
  'Nebelhornweg',
  'Torfbrückenweg',
  'Schilfstieg',
]

/** How far a place may be from the middle of its quarter, in degrees: about 600 m in both directions. */
const SPREAD = { lat: 0.0055, lng: 0.009 }

/** Every street is in one quarter; the first quarters, in the middle of the city, have the most. */
export function placesOf(random: Random): Place[] {
  return STREETS.map((street, i) => {
    const quarter: Quarter = QUARTERS[i % (i < 30 ? 15 : QUARTERS.length)]!
    return {
      street,
      quarter: quarter.name,
      address: `${street} ${random.integer(2, 88)}, Hamburg`,
      lat: rounded(quarter.lat + random.between(-SPREAD.lat, SPREAD.lat)),
      lng: rounded(quarter.lng + random.between(-SPREAD.lng, SPREAD.lng)),
    }
  })
}

const rounded = (degrees: number) => Math.round(degrees * 100_000) / 100_000
