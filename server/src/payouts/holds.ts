/** How long what a worker has earned stays with us before it may be paid out, and why. Pure rules. */
import type { Config } from '../config.ts'
import type { Schema } from '../kit/schema.ts'

const HOUR_MS = 3_600_000
const DAY_MS = 24 * HOUR_MS

/** For what only a person can let go. */
export const NEVER = new Date('9999-12-31T00:00:00.000Z')

export type HoldReason = NonNullable<Schema['payouts']['hold_reason']>

export interface Hold {
  reason: HoldReason
  until: Date
}

/** What of a person can show that two accounts are one person's. */
export interface Person {
  email: string
  /** From which address they registered; null where it tells nobody apart. */
  registered_from: string | null
}

export interface Earned {
  funding: 'wallet' | 'free'
  earnedAt: Date
  agent: Person
  worker: Person
  /** Of those the agent made before: money that a bank may still take back. */
  deposits: { firstAt: Date; latestAt: Date } | undefined
  /** The protection fund has paid, the agent owes it, and no person has looked at why. */
  isOwed: boolean
}

type HoldSettings = Pick<
  Config,
  'HOLD_HOURS' | 'HOLD_HOURS_NEW' | 'HOLD_HOURS_FREE' | 'AGENT_NEW_DAYS'
>

/** The hold of a live payout, also one that is over already; undefined where nothing speaks for one. */
export function holdOf(earned: Earned, settings: HoldSettings): Hold | undefined {
  if (earned.funding === 'free')
    // Whoever posts free tasks to themselves would be paid by us for nothing.
    return isAlike(earned.agent, earned.worker)
      ? { reason: 'self_dealing', until: NEVER }
      : { reason: 'free_task', until: after(earned.earnedAt, settings.HOLD_HOURS_FREE) }

  // Else agent and worker, together, could be paid twice: dispute, spend the refund, let silence concede the appeal.
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

/** The inbox that an address leads to: without its tag, and without the dots that Gmail does not look at. */
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
