/** Faults that tests switch on: which requests they hit, and how often. api.ts implements their effects. */
import { integer, oneOf, probability, type Read, required, text } from './params.ts'
import { seededRandom } from './random.ts'
import type { Store } from './store.ts'

export const FAULT_MODES = [
  'error_before',
  'error_after',
  'hang_before',
  'hang_after',
  'reset_before',
  'reset_after',
  'rate_limit',
  'lock_timeout',
  'html502',
  'slow',
  'json_without_error',
] as const
export type FaultMode = (typeof FAULT_MODES)[number]

export const faultParams = {
  /** A prefix of method and path, such as `POST /v1/transfers`, or a regular expression. */
  match: required(text()),
  mode: required(oneOf(...FAULT_MODES)),
  /** Status and code of the error response. */
  status: integer({ min: 400, max: 599 }),
  code: text(),
  /** How long `slow` waits, and the maximum for a hang. */
  ms: integer({ min: 0, max: 60_000 }),
  /** How many times it triggers; default: once, unless a probability is given. */
  times: integer({ min: 1 }),
  probability,
  seed: integer({ min: 0 }),
  /** The response stored under the idempotency key when the effect happened but the response was lost. */
  stores: oneOf('answer', 'error'),
}
export type FaultParams = Read<typeof faultParams>

export interface Fault extends FaultParams {
  id: number
  /** How many more times it will trigger; null means no limit. */
  remaining: number | null
  struck: number
  asked: number
}

export function addFault(store: Store, given: FaultParams): Fault {
  const remaining = given.times ?? (given.probability === undefined ? 1 : null)
  const { lastId } = store.run(
    'insert into faults (json, remaining) values (?, ?)',
    JSON.stringify(given),
    remaining,
  )
  return { ...given, id: lastId, remaining, struck: 0, asked: 0 }
}

/** Includes used-up faults, so that tests can see that they triggered. */
export function listFaults(store: Store): Fault[] {
  return readFaults(store, 'select id, json, remaining, struck, asked from faults order by id')
}

function readFaults(store: Store, sql: string): Fault[] {
  return store
    .all<Pick<Fault, 'id' | 'remaining' | 'struck' | 'asked'> & { json: string }>(sql)
    .map(({ json, ...counts }) => ({ ...(JSON.parse(json) as FaultParams), ...counts }))
}

export function clearFaults(store: Store): void {
  store.run('delete from faults')
}

/** Returns the first fault that hits this request, and counts it. */
export function takeFault(store: Store, request: string): Fault | undefined {
  const live = readFaults(
    store,
    `select id, json, remaining, struck, asked from faults
       where remaining is null or remaining > 0 order by id`,
  )
  for (const fault of live) {
    if (!matches(fault.match, request)) continue
    const asked = fault.asked + 1
    const strikes = fault.probability === undefined || chanceOf(fault, asked) < fault.probability
    const hit = strikes ? 1 : 0
    store.run(
      'update faults set asked = ?, struck = struck + ?, remaining = remaining - ? where id = ?',
      asked,
      hit,
      hit,
      fault.id,
    )
    if (strikes) return fault
  }
  return undefined
}

function matches(match: string, request: string): boolean {
  if (request.startsWith(match)) return true
  try {
    return new RegExp(match).test(request)
  } catch {
    return false
  }
}

/** The n-th random number is the same for the same seed, even after a restart. */
function chanceOf({ seed = 1 }: Fault, asked: number): number {
  return seededRandom((Math.imul(seed, 0x9e3779b1) + Math.imul(asked, 0x85ebca6b)) >>> 0)()
}
