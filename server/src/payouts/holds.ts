/** How long a worker's earnings are held before they may be paid out, and why. Pure rules. */
import type { Config } from '../config.ts'
import type { Schema } from '../kit/schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** The end of a hold that only a person can lift. */
export const NEVER = new Date('9999-12-31T00:00:00.000Z')

export type HoldReason = NonNullable<Schema['payouts']['hold_reason']>

export interface Hold {
  reason: HoldReason
  until: Date
}

/** The attributes that can show that two accounts belong to the same person. */
export interface Person {
  email: string
  /** The IP address they registered from; null where it does not identify anyone. */
  registered_from: string | null
}

export interface Earned {
  funding: 'wallet' | 'free'
  earnedAt: Date
  agent: Person
  worker: Person
  /** The deposits that the agent made before; a bank may still claw that money back. */
  deposits: { firstAt: Date; latestAt: Date } | undefined
  /** The protection fund has paid, the agent owes it the money, and no person has reviewed why. */
  isOwed: boolean
}

type HoldSettings = Pick<
  Config,
  'HOLD_HOURS' | 'HOLD_HOURS_NEW' | 'HOLD_HOURS_FREE' | 'AGENT_NEW_DAYS'
>

/** The hold for a live payout, even if it has already ended; undefined if there is no reason for one. */
export function holdOf(earned: Earned, settings: HoldSettings): Hold | undefined {
  if (earned.funding === 'free')
    // Otherwise people could post free tasks to themselves and be paid by us for nothing.
    return isAlike(earned.agent, earned.worker)
      ? { reason: 'self_dealing', until: NEVER }
      : { reason: 'free_task', until: after(earned.earnedAt, settings.HOLD_HOURS_FREE) }

  // Otherwise a colluding agent and worker could be paid twice: dispute, spend the refund, and concede the appeal by
  // not replying.
  if (earned.isOwed) return { reason: 'review', until: NEVER }
  if (earned.deposits === undefined) return undefined
  const { firstAt, latestAt } = earned.deposits
  const isNew = earned.earnedAt.getTime() - firstAt.getTime() < settings.AGENT_NEW_DAYS * DAY_MS
  const hours = isNew ? settings.HOLD_HOURS_NEW : settings.HOLD_HOURS
  return { reason: 'new_funds', until: after(latestAt, hours) }
}

const after = (time: Date, hours: number) => new Date(time.getTime() + hours * HOUR_MS)

export function isAlike(one: Person, other: Person): boolean {
  if (inboxOf(one.email) === inboxOf(other.email)) return true
  return one.registered_from !== null && one.registered_from === other.registered_from
}

/** Normalizes an email address to its inbox: drops the +tag, and the dots that Gmail ignores. */
export function inboxOf(email: string): string {
  const [, local = '', domain = ''] = /^(.*)@(.*)$/.exec(email.trim().toLowerCase()) ?? []
  const name = local.replace(/\+.*$/, '')
  return domain === 'gmail.com' || domain === 'googlemail.com'
    ? `${name.replaceAll('.', '')}@gmail.com`
    : `${name}@${domain}`
}

/** When the next day's promotional budget begins. */
export function nextDay(now: Date): Date {
  return new Date((Math.floor(now.getTime() / DAY_MS) + 1) * DAY_MS)
}
