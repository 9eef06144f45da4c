/**
 * The risks that a worker sees before accepting a task, computed from its own fields. Most tasks at a place are done
 * alone, so `alone` is shown only at night or on private ground.
 */
import { z } from 'zod'
import { named } from '../kit/named.ts'
import type { Point } from '../places/cells.ts'
import { zoneOf } from '../places/geocode.ts'
import { WARNINGS } from '../screening/rule.ts'
import { warningsOf } from '../screening/screen.ts'
import type { Task } from '../tasks/queries.ts'

const RISKS = ['night', 'private_ground', 'traffic', 'alone', ...WARNINGS] as const
export const Risk = named('TaskRisk', z.enum(RISKS))
export type Risk = (typeof RISKS)[number]

const HOUR_MS = 3_600_000
const NIGHT = { from: 22, until: 6 }

type Phrases = Partial<Record<Risk, readonly string[]>>

/** In English, German, Spanish, French and Arabic. A word ends where no letter follows, except in Arabic. */
const PHRASES: Phrases = {
  night: [
    'at night|late at night|after dark|after midnight',
    'nachts|bei nacht|nach mitternacht|bei dunkelheit|im dunkeln',
    'de noche|por la noche|después de medianoche|de madrugada',
    'la nuit|(?<!boîte )de nuit|après minuit|à la nuit tombée',
    'ليلا|ليلًا|في الليل|بعد منتصف الليل',
  ],
  private_ground: [
    'private (?:property|land|ground|road)|back ?yards?|stairwell|rooftop|basement|construction site',
    '(?:enter|inside) the (?:house|yard|premises)',
    'privatgelände|privatgrundstück|privatweg|hinterhof|innenhof|treppenhaus|keller|dachboden|baustelle',
    'propiedad privada|terreno privado|patio trasero|patio interior|sótano|azotea|obra en construcción',
    "propriété privée|terrain privé|arrière-cour|cour intérieure|cage d[’']escalier|sous-sol|chantier",
    'ملكية خاصة|أرض خاصة|الفناء الخلفي|القبو|سطح المبنى|موقع بناء',
  ],
  traffic: [
    'motorway|along the (?:highway|freeway)|roadside|hard shoulder|railway tracks?|busy (?:road|intersection|junction)',
    'autobahn|straßenrand|bahngleise?n?|schnellstraße',
    'autopista|borde de la carretera|arcén|vías del tren',
    'autoroute|bord de la route|voie rapide|voies ferrées',
    'الطريق السريع|جانب الطريق|سكة الحديد',
  ],
}
const PATTERNS = Object.entries(PHRASES).map(([risk, phrases]) => ({
  risk: risk as Risk,
  pattern: new RegExp(`(?<!\\p{L})(?:${phrases.join('|')})(?!\\p{Script=Latin})`, 'iu'),
}))

export type RiskyTask = Pick<
  Task,
  'type' | 'title' | 'description' | 'context' | 'created_at' | 'scheduled_at' | 'deadline'
>

/** `point` is where the task is done, as precisely as the feed knows it; null without a place. */
export function risksOf(task: RiskyTask, point: Point | null): Risk[] {
  const found = new Set<Risk>(warningsOf(task))
  if (point !== null || task.type === 'field_mission')
    for (const risk of risksOfPlace(task, point)) found.add(risk)
  return RISKS.filter((risk) => found.has(risk))
}

function risksOfPlace(task: RiskyTask, point: Point | null): Set<Risk> {
  const words = `${task.title ?? ''}\n${task.description}`
  const found = new Set(
    PATTERNS.filter(({ pattern }) => pattern.test(words)).map(({ risk }) => risk),
  )
  const zone = point === null ? undefined : zoneOf(point)
  if (zone !== undefined && isAtNight(task, zone)) found.add('night')
  if (found.has('night') || found.has('private_ground')) found.add('alone')
  return found
}

/** Whether the task is scheduled for the night, or can be done only in the night in which it was posted. */
function isAtNight({ created_at, scheduled_at, deadline }: RiskyTask, zone: string): boolean {
  const start = scheduled_at ?? created_at
  const hour = hourIn(zone, start)
  if (hour >= NIGHT.until && hour < NIGHT.from) return false
  const hoursLeft = (NIGHT.until - hour + 24) % 24
  return scheduled_at !== null || deadline.getTime() - start.getTime() <= hoursLeft * HOUR_MS
}

const clocks = new Map<string, Intl.DateTimeFormat>()

/** The local time as hours with a fraction. */
function hourIn(zone: string, at: Date): number {
  let clock = clocks.get(zone)
  if (clock === undefined) {
    const parts = { hour: 'numeric', minute: 'numeric', hourCycle: 'h23' } as const
    clock = new Intl.DateTimeFormat('en', { timeZone: zone, ...parts })
    clocks.set(zone, clock)
  }
  const [hour, minute] = clock.format(at).split(':').map(Number)
  return hour! + minute! / 60
}
