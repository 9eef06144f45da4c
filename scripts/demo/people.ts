/** The made-up people of the demo: 25 workers, and the eight agents that post tasks. */
import type { QUARTERS } from './city.ts'

export interface WorkerPlan {
  name: string
  email: string
  quarter: (typeof QUARTERS)[number]['name']
  skills: string[]
  languages: string[]
  radiusKm: number
  /** Single tasks they complete in the three months, besides those with several workers. */
  tasks: number
  /** Joins with one of the three cohorts. */
  cohort: 0 | 1 | 2
  /** Whether they have connected a bank account. */
  hasBank: boolean
}

type Row = [
  name: string,
  quarter: WorkerPlan['quarter'],
  skills: string,
  languages: string,
  tasks: number,
  cohort: 0 | 1 | 2,
  hasBank?: 'no bank',
]

/** The first worker is the one whose login is printed. */
const ROWS: Row[] = [
  ['Lena Petersen', 'Sternschanze', 'photography, phone calls', 'de en', 30, 0],
  ['Emre Yıldız', 'Altona', 'photography, driving license', 'de en tr', 26, 0],
  ['Amara Okonkwo', 'St. Georg', 'phone calls, writing', 'en de', 11, 0],
  ['Jonas Brandt', 'Eimsbüttel', 'photography, measuring', 'de en', 9, 0],
  ['Nguyễn Minh Anh', 'Barmbek', 'photography, writing', 'vi de en', 8, 0],
  ['Sofia Marković', 'Winterhude', 'phone calls, customer care', 'sr de en', 7, 0],
  ['Tariq Haddad', 'Wandsbek', 'driving license, measuring', 'ar de en', 6, 0],
  ['Freya Lindqvist', 'Ottensen', 'photography, audio recording', 'sv en de', 5, 0],
  ['Mateo Fuentes', 'St. Pauli', 'audio recording, writing', 'es en de', 5, 0],
  ['Yuki Tanabe', 'Uhlenhorst', 'photography, writing', 'ja en', 4, 0],
  ['Priya Raman', 'HafenCity', 'customer care, phone calls', 'ta hi en de', 4, 0],
  ['Kofi Mensah', 'Hammerbrook', 'driving license, photography', 'en fr de', 4, 0],
  ['Zofia Wójcik', 'Neustadt', 'measuring, photography', 'pl de en', 3, 1],
  ['Farid Rahimi', 'Harburg', 'driving license', 'fa de en', 3, 1],
  ['Hanna Claussen', 'Blankenese', 'customer care, writing', 'de en', 3, 1],
  ['Luca Ferrante', 'Eppendorf', 'photography', 'it en de', 3, 1],
  ['Olena Kovalchuk', 'Altstadt', 'phone calls, customer care', 'uk de en', 2, 1],
  ['Tomás Ribeiro', 'Altona', 'audio recording', 'pt en', 2, 1, 'no bank'],
  ['Aylin Demirci', 'Wilhelmsburg', 'measuring, phone calls', 'tr de en', 2, 1],
  ['Samuel Adeyemi', 'St. Pauli', 'photography, writing', 'en de', 2, 2],
  ['Mei-Ling Chou', 'Winterhude', 'writing', 'zh-hant en de', 2, 2],
  ['Nikos Pavlidis', 'Bergedorf', 'driving license, measuring', 'el de en', 1, 2],
  ['Birte Hansen', 'Ottensen', 'customer care', 'da de en', 1, 2, 'no bank'],
  ['Rashid Karimov', 'Barmbek', 'photography', 'uz ru en de', 1, 2, 'no bank'],
  ['Chloé Marchand', 'Uhlenhorst', 'writing, phone calls', 'fr en de', 1, 2, 'no bank'],
]

export const WORKERS: readonly WorkerPlan[] = ROWS.map(
  ([name, quarter, skills, languages, tasks, cohort, hasBank]) => ({
    name,
    quarter,
    tasks,
    cohort,
    email: `${plain(name).toLowerCase().replaceAll(/\W+/g, '.')}@example.com`,
    skills: skills.split(', '),
    languages: languages.split(' '),
    radiusKm: 15,
    hasBank: hasBank === undefined,
  }),
)

/** Everyone has the same password, so that you can log in as anyone. */
export const PASSWORD = 'hamburg-demo'

export const AGENTS = {
  wayfare: { name: 'Wayfare City Guide', purpose: 'travel guide' },
  rampfinder: { name: 'Rampfinder', purpose: 'accessibility map' },
  pulse: { name: 'Pulse Panel', purpose: 'market research' },
  shelfwatch: { name: 'Shelfwatch', purpose: 'price comparison' },
  nora: { name: 'Nora Concierge', purpose: 'personal assistant' },
  soundmap: { name: 'Soundmap Archive', purpose: 'sounds of the city' },
  gentle: { name: 'Gentle Desk', purpose: 'customer care' },
  homelight: { name: 'Homelight', purpose: 'apartment search' },
} as const
export type AgentName = keyof typeof AGENTS
export const AGENT_NAMES = Object.keys(AGENTS) as AgentName[]

/** The letters without their accents; ı has none to remove. */
function plain(name: string): string {
  return name.normalize('NFD').replaceAll(/\p{M}/gu, '').replaceAll('ı', 'i')
}
