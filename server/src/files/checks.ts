/**
 * Pure rules that check a photo's evidence. They never reject a proof; the agent and the operators see the results.
 */
import type { Evidence } from './clean-image.ts'
import type { Lookalike } from './photo-history.ts'

export interface Check {
  name: 'duplicate_photo' | 'photo_time' | 'photo_place' | 'photo_quality' | 'photo_metadata'
  result: 'pass' | 'warn' | 'fail'
  note: string
}

export interface Position {
  lat: number
  lng: number
  accuracy_m?: number | undefined
}

export interface PhotoContext {
  /** Undefined if the picture has too little contrast for a perceptual hash. */
  dhash: string | undefined
  lookalikes: Lookalike[]
  accepted_at: Date
  now: Date
  /** Where the task is, if it has coordinates. */
  place: { lat: number; lng: number; radius_m?: number | undefined } | undefined
  /** The location reported by the worker's device. */
  device: Position | undefined
}

/** Re-saving a picture changes its hash by at most this many bits. */
const SAME_PICTURE_MAX = 3
const RADIUS_M = 250
const NEAR_M = 2000
/** Limits the claimed inaccuracy, which would otherwise excuse any distance. */
const ACCURACY_MAX_M = 1000
const CLOCK_SKEW_MS = 120_000
const HOUR_MS = 3_600_000
const DARK = 25
const BRIGHT = 245
const BLURRED = 0.3

export function checkPhoto(evidence: Evidence, context: PhotoContext): Check[] {
  return [
    checkDuplicate(context),
    ...checkTime(evidence, context),
    ...checkPlace(evidence, context),
    checkQuality(evidence),
    checkMetadata(evidence),
  ]
}

function checkDuplicate({ lookalikes, dhash }: PhotoContext): Check {
  const name = 'duplicate_photo'
  const nearest = lookalikes[0]
  if (nearest === undefined)
    return dhash === undefined
      ? { name, result: 'pass', note: 'The photo has too little detail to compare it with others' }
      : { name, result: 'pass', note: 'No similar photo in other proofs' }
  const day = nearest.created_at.toISOString().slice(0, 10)
  if (nearest.is_same_file)
    return { name, result: 'fail', note: `The same file was sent with another proof on ${day}` }
  return nearest.distance <= SAME_PICTURE_MAX
    ? { name, result: 'fail', note: `The same picture was sent with another proof on ${day}` }
    : { name, result: 'warn', note: `It looks like a photo from another proof of ${day}` }
}

function checkTime(
  { taken_at, taken_at_local }: Evidence,
  { accepted_at, now }: PhotoContext,
): Check[] {
  const said = taken_at ?? taken_at_local
  if (said === undefined) return []
  const at = new Date(taken_at ?? `${taken_at_local}Z`).getTime()
  // A local time without a zone: time zones range from UTC-12 to UTC+14.
  const [earlier, later] = taken_at === undefined ? [14 * HOUR_MS, 12 * HOUR_MS] : [0, 0]
  const name = 'photo_time'
  if (at - earlier > now.getTime() + CLOCK_SKEW_MS)
    return [
      {
        name,
        result: 'warn',
        note: 'According to its metadata, the photo was taken after it was sent',
      },
    ]
  const beforeMs = accepted_at.getTime() - CLOCK_SKEW_MS - (at + later)
  if (beforeMs > 0)
    return [
      {
        name,
        result: 'warn',
        note:
          `According to its metadata, the photo was taken ${duration(beforeMs)} before the task ` +
          'was accepted',
      },
    ]
  const note = 'According to its metadata, the photo was taken while the worker had the task'
  return [{ name, result: 'pass', note }]
}

/** Uses the farther of the two positions, because faking one of them is easy. */
function checkPlace(evidence: Evidence, { place, device }: PhotoContext): Check[] {
  if (place === undefined) return []
  const { lat, lng, accuracy_m } = evidence
  const photo = lat === undefined || lng === undefined ? undefined : { lat, lng, accuracy_m }
  const [farthest] = [
    ...(photo ? [{ who: 'The photo', metres: distanceM(photo, place) }] : []),
    ...(device ? [{ who: 'The device', metres: distanceM(device, place) }] : []),
  ].toSorted((a, b) => b.metres - a.metres)
  if (farthest === undefined) return []
  const near = place.radius_m ?? RADIUS_M
  const { who, metres } = farthest
  const result = metres <= near ? 'pass' : metres <= Math.max(NEAR_M, near) ? 'warn' : 'fail'
  const note =
    result === 'pass'
      ? `${who} reports a location at the place`
      : `${who} reports a location ${length(metres)} from the place`
  return [{ name: 'photo_place', result, note }]
}

function checkQuality({ brightness = 128, sharpness = BLURRED }: Evidence): Check {
  const name = 'photo_quality'
  if (brightness < DARK) return { name, result: 'warn', note: 'The photo is very dark' }
  if (brightness > BRIGHT) return { name, result: 'warn', note: 'The photo is almost white' }
  if (sharpness < BLURRED) return { name, result: 'warn', note: 'The photo is blurry' }
  return { name, result: 'pass', note: 'The photo is bright and sharp enough' }
}

function checkMetadata({ lat, taken_at, taken_at_local }: Evidence): Check {
  const says = [
    ...(lat === undefined ? [] : ['where']),
    ...(taken_at === undefined && taken_at_local === undefined ? [] : ['when']),
  ]
  const note =
    says.length === 0
      ? 'The photo has no metadata about where or when it was taken, which is common for photos from apps'
      : `The metadata says ${says.join(' and ')} the photo was taken`
  return { name: 'photo_metadata', result: 'pass', note }
}

/** Great-circle distance minus the position's inaccuracy. */
export function distanceM(from: Position, to: Pick<Position, 'lat' | 'lng'>): number {
  const radians = (degrees: number) => (degrees * Math.PI) / 180
  const [dLat, dLng] = [radians(to.lat - from.lat), radians(to.lng - from.lng)]
  const a =
    Math.sin(dLat / 2) ** 2 +
    Math.cos(radians(from.lat)) * Math.cos(radians(to.lat)) * Math.sin(dLng / 2) ** 2
  const metres = 2 * 6_371_000 * Math.asin(Math.min(1, Math.sqrt(a)))
  return Math.max(0, metres - Math.min(from.accuracy_m ?? 0, ACCURACY_MAX_M))
}

function duration(ms: number): string {
  const hours = ms / HOUR_MS
  if (hours >= 48) return `${Math.round(hours / 24)} days`
  return hours >= 2
    ? `${Math.round(hours)} hours`
    : `${Math.max(1, Math.round(ms / 60_000))} minutes`
}

const length = (metres: number) =>
  metres >= 10_000
    ? `${Math.round(metres / 1000)} km`
    : metres >= 1000
      ? `${(metres / 1000).toFixed(1)} km`
      : `${Math.round(metres)} m`
