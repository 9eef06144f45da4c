/** The signs that a payout goes to a person who pays themselves with our money, and their scores. Pure rules. */
import type { How } from './links.ts'

const MINUTE_MS = 60_000
const DAY_MS = 1440 * MINUTE_MS
/** Fewer payouts show no habit. */
const HABIT_MIN = 3
const MOSTLY = 0.9
const CIRCLE_AGENTS_MIN = 3
/** So many agents with half as many workers are no coincidence. */
const CIRCLE_AGENTS_CERTAIN = 8
/** A small market is a closed circle, too, so only a few workers count as one. */
const CIRCLE_WORKERS_MAX = 8

/** All signs: the keys are stored in payout_signals. */
export type Sign =
  | 'same_payout_account'
  | 'same_bank_account'
  | 'same_inbox'
  | 'same_device'
  | 'same_network_address'
  | 'same_photo'
  | 'same_text'
  | 'agent_in_ring'
  | 'closed_circle'
  | 'mostly_free_tasks'
  | 'approved_in_seconds'
  | 'new_worker'

export interface FoundSign {
  sign: Sign
  score: number
  /** Other accounts, or figures. */
  detail: string
}

/** The facts from which the signs of a payout are derived, before it is sent. */
export interface Facts {
  funding: 'wallet' | 'free'
  /** Other workers that share something with this one. */
  linked: Partial<Record<How, string[]>>
  /** Other workers who have sent the same long text to these agents. */
  sameText: string[]
  /** The agent shares something with the worker, or with a worker of the same ring. */
  isAgentInRing: boolean
  /** The worker's latest payouts, with this one. */
  past: { count: number; freeCount: number; cents: number; freeCents: number }
  /** The agents of those free tasks, and the other workers whom these agents have had approved. */
  circle: { agents: number; coWorkers: number }
  /** From the task's creation to the approval. */
  tookMs: number | undefined
  /** The age of the worker's account when the task was approved. */
  workerAgeMs: number
}

const LINK_SIGNS: Record<How, { sign: Sign; score: number }> = {
  'payout account': { sign: 'same_payout_account', score: 100 },
  'bank account': { sign: 'same_bank_account', score: 60 },
  inbox: { sign: 'same_inbox', score: 40 },
  device: { sign: 'same_device', score: 40 },
  photo: { sign: 'same_photo', score: 30 },
  // Families, dormitories and offices share one.
  'network address': { sign: 'same_network_address', score: 20 },
}

/** One link or habit that honest people have, too, stays below the score of a review; two don't. */
export function signsOf(facts: Facts): FoundSign[] {
  const { funding, linked, past, circle, tookMs } = facts
  const found: FoundSign[] = []
  for (const [how, ids = []] of Object.entries(linked))
    if (ids.length > 0) found.push({ ...LINK_SIGNS[how as How], detail: listOf(ids) })
  if (facts.sameText.length > 0)
    found.push({ sign: 'same_text', score: 30, detail: listOf(facts.sameText) })
  if (facts.isAgentInRing)
    found.push({
      sign: 'agent_in_ring',
      // Mobile networks put many strangers behind one address, and a wallet's money is the agent's own.
      score: funding === 'free' ? 40 : 25,
      detail: 'shares something with the worker',
    })
  if (facts.workerAgeMs < DAY_MS)
    found.push({ sign: 'new_worker', score: 10, detail: 'joined less than a day before' })
  if (funding === 'wallet') return found

  // A farm's agents know only the farm's workers, however many agents there are.
  const circleScore = scoreOfCircle(circle)
  if (circleScore > 0)
    found.push({
      sign: 'closed_circle',
      score: circleScore,
      detail: `${circle.agents} agents, ${circle.coWorkers} other workers`,
    })
  if (past.freeCount >= HABIT_MIN && past.freeCents >= MOSTLY * past.cents)
    found.push({
      sign: 'mostly_free_tasks',
      score: 30,
      detail: `${past.freeCount} of ${past.count} payouts`,
    })
  if (tookMs !== undefined && tookMs < MINUTE_MS)
    found.push({
      sign: 'approved_in_seconds',
      score: 30,
      detail: `${Math.round(tookMs / 1000)} seconds after the task was posted`,
    })
  return found
}

const listOf = (ids: string[]) => ids.toSorted().slice(0, 5).join(' ')

function scoreOfCircle({ agents, coWorkers }: Facts['circle']): number {
  if (coWorkers > CIRCLE_WORKERS_MAX) return 0
  if (agents >= CIRCLE_AGENTS_CERTAIN && coWorkers * 2 <= agents) return 60
  // The tasks of one agent alone may all go to one worker who is quick.
  const isAlone = agents >= 2 && coWorkers === 0
  return isAlone || (agents >= CIRCLE_AGENTS_MIN && coWorkers <= agents) ? 40 : 0
}

export const scoreOf = (signs: readonly FoundSign[]): number =>
  signs.reduce((sum, { score }) => sum + score, 0)
