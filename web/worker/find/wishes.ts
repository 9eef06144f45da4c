/** The feed's filters. The server applies some of them; the app applies all of them to every card. */
import { COMMISSION_BASIS_POINTS, COMMISSION_SHARE } from '../../shared/commission.ts'
import type { Answer } from '../api.ts'

export type Card = Answer<'/worker/feed'>['tasks'][number]
export type TaskType = Card['type']
export type Proof = Card['proof_required']
export type Sort = 'match' | 'nearest' | 'pay' | 'new'

export interface Wishes {
  place: 'any' | 'near' | 'remote'
  isShort: boolean
  least: { cents: number; per: 'hour' | 'task' }
  /** null: the radius in the profile. */
  radiusKm: number | null
  types: TaskType[]
  proofs: Proof[]
  /** Only agents who almost always pay. */
  isReliable: boolean
  sort: Sort
}

export const NO_WISHES: Wishes = {
  place: 'any',
  isShort: false,
  least: { cents: 0, per: 'hour' },
  radiusKm: null,
  types: [],
  proofs: [],
  isReliable: false,
  sort: 'match',
}

export const TYPES: TaskType[] = [
  'verification',
  'field_mission',
  'voice_proxy',
  'gut_check',
  'vibe_reader',
  'empathy_escalation',
  'custom',
]
export const PROOFS: Proof[] = ['photo', 'text', 'video', 'audio']
export const RELIABLE_SHARE = 0.9
/** Search radius; the slider's maximum is lower than the input's. */
export const RADIUS_KM = { usual: 10, min: 1, max: 200, slider: 50 }
const SHORT_MINUTES = 10
const PAGE = 30
/** Filters applied in the app need larger pages, so that enough tasks remain. */
const PAGE_TO_SIFT = 100

export interface Point {
  lat: number
  lng: number
}

/** The query for the server. */
export function askedOf(wishes: Wishes, position: Point | null) {
  const { least, radiusKm, types, place, sort } = wishes
  return {
    ...(position === null ? {} : pointToSend(position)),
    ...(radiusKm === null ? {} : { radius_km: radiusKm }),
    ...(types.length === 1 ? { type: types[0]! } : {}),
    ...(least.per === 'task' && least.cents > 0 ? { min_pay_cents: least.cents } : {}),
    sort: place === 'near' && sort === 'match' ? 'nearest' : sort,
    limit: isSifted(wishes) ? PAGE_TO_SIFT : PAGE,
  } as const
}

/** Rounds to about a hundred meters, for privacy, and so that a few steps don't change the query key. */
export const pointToSend = ({ lat, lng }: Point): Point => ({
  lat: hundredMetres(lat),
  lng: hundredMetres(lng),
})
const hundredMetres = (degrees: number) => Math.round(degrees * 1000) / 1000

const isSifted = ({ place, isShort, least, types, proofs, isReliable }: Wishes) =>
  place !== 'any' ||
  isShort ||
  (least.per === 'hour' && least.cents > 0) ||
  types.length > 1 ||
  proofs.length > 0 ||
  isReliable

/**
 * Checks all filters, including those that the server applies: offline, there are only responses to earlier queries.
 */
export function fits(card: Card, wishes: Wishes): boolean {
  const { place, isShort, least, radiusKm, types, proofs, isReliable } = wishes
  const pay = least.per === 'hour' ? centsPerHour(card) : card.you_earn_cents
  return (
    (place === 'any' || (place === 'remote') === isRemote(card)) &&
    (!isShort || minutesOf(card).whole < SHORT_MINUTES) &&
    pay >= least.cents &&
    (radiusKm === null || card.distance_km === null || card.distance_km <= radiusKm) &&
    (types.length === 0 || types.includes(card.type)) &&
    (proofs.length === 0 || proofs.includes(card.proof_required)) &&
    (!isReliable || (card.agent.approval_rate ?? 0) >= RELIABLE_SHARE)
  )
}

/** Keeps the server's order, but moves locked tasks to the end. */
export function chosenOf(cards: Card[], wishes: Wishes): Card[] {
  const fitting = cards.filter((card) => fits(card, wishes))
  const isLocked = (card: Card) => card.locked !== undefined
  return [...fitting.filter((card) => !isLocked(card)), ...fitting.filter(isLocked)]
}

/** Number of filters that are set in the sheet. */
export const countSet = ({ least, radiusKm, types, proofs, isReliable, sort }: Wishes): number =>
  [
    least.cents > 0,
    radiusKm !== null,
    types.length > 0,
    proofs.length > 0,
    isReliable,
    sort !== 'match',
  ].filter(Boolean).length

export const isNarrowed = (wishes: Wishes) =>
  countSet({ ...wishes, sort: 'match' }) > 0 || wishes.place !== 'any' || wishes.isShort

/** The subset of filters that an alert supports. */
export const alertOf = ({ least, radiusKm, types, place }: Wishes, position: Point | null) => ({
  ...(place === 'near' && position !== null ? pointToSend(position) : {}),
  ...(radiusKm === null ? {} : { radius_km: radiusKm }),
  ...(types.length === 0 ? {} : { types }),
  ...(least.per === 'task' && least.cents > 0 ? { min_pay_cents: least.cents } : {}),
})

type Effort = Pick<Card, 'est_minutes' | 'distance_km'>

export const isRemote = ({ near, area }: Pick<Card, 'near' | 'area'>) =>
  near === null && area === null

const WALK_KM_PER_HOUR = 4.5
/** The longest distance to assume is walked; the rest is ridden. */
const WALK_MAX_KM = 3
const RIDE_KM_PER_HOUR = 20

/** Includes the way there and back, which isn't paid extra. */
export function minutesOf({ est_minutes: work, distance_km }: Effort) {
  const km = distance_km ?? 0
  const hours =
    Math.min(km, WALK_MAX_KM) / WALK_KM_PER_HOUR + Math.max(0, km - WALK_MAX_KM) / RIDE_KM_PER_HOUR
  const way = Math.round(2 * hours * 60)
  return { work, way, whole: work + way, isWalk: km <= WALK_MAX_KM }
}

export const centsPerHour = (card: Effort & Pick<Card, 'you_earn_cents'>) =>
  (card.you_earn_cents * 60) / minutesOf(card).whole

const GOOD_CENTS_PER_HOUR = 2500

/**
 * Why the task is shown. The server computes `pays_well` without travel, so show it only if it also holds with travel.
 */
export const reasonsOf = (card: Effort & Pick<Card, 'you_earn_cents' | 'match'>) =>
  card.match.because.filter(
    ({ code }) => code !== 'pays_well' || centsPerHour(card) >= GOOD_CENTS_PER_HOUR,
  )

/** What the agent pays per worker. If the budget covers several workers, it is derived from the worker's net pay. */
export function grossCents({
  you_earn_cents: net,
  budget_cents,
}: Pick<Card, 'you_earn_cents' | 'budget_cents'>) {
  const commission = Math.floor((budget_cents * COMMISSION_BASIS_POINTS) / 10_000)
  const isWhole = budget_cents - commission === net
  return isWhole ? budget_cents : Math.round(net / (1 - COMMISSION_SHARE))
}
