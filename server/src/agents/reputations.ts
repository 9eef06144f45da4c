/**
 * How agents judge, by their last 100 verdicts, for workers to see before they accept a task. Each process caches a
 * reputation for a minute, and reads all missing ones in one query.
 */
import { call } from '../kit/call.ts'
import type { Reader } from '../kit/db.ts'
import type { Functions } from '../kit/functions.ts'
import { rateOf, typicalOf } from '../kit/rate.ts'

export interface Reputation {
  /** How many verdicts, and how many disputes among them, the rates are based on. */
  verdicts: number
  disputes: number
  /** Null while there are too few cases. */
  approval_rate: number | null
  overturn_rate: number | null
  median_review_s: number | null
  /** The probability that a proof gets paid, starting from a prior for agents without verdicts. */
  paid_chance: number
}

/** An agent's last verdicts, counted. */
export type VerdictCounts = Functions['tasks_reputations']['row']

interface Known {
  reputation: Reputation
  askedAt: number
}

const KEPT_MS = 60_000
const KEPT_MAX = 20_000
/** Counts as nine approvals in ten verdicts. */
const PRIOR = { approved: 9, judged: 10 }

// Agent ids are unique across databases, so one cache serves them all.
const known = new Map<string, Known>()

export async function reputationsOf(
  db: Reader,
  agentIds: readonly string[],
  now: Date,
): Promise<Map<string, Reputation>> {
  const at = now.getTime()
  const all = [...new Set(agentIds)]
  const unknown = all.filter((id) => {
    const age = at - (known.get(id)?.askedAt ?? Number.NEGATIVE_INFINITY)
    return age < 0 || age >= KEPT_MS
  })
  if (unknown.length > 0) {
    const rows = await countVerdicts(db, unknown)
    for (const row of rows) remember(row.agent_id, { reputation: reputationOf(row), askedAt: at })
  }
  return new Map(all.map((id) => [id, known.get(id)!.reputation]))
}

/** Reads the counts without the cache. */
export const countVerdicts = (db: Reader, agentIds: string[]): Promise<VerdictCounts[]> =>
  call(db, 'tasks_reputations', { p_agents: agentIds })

function remember(agentId: string, entry: Known): void {
  // Delete first: a Map keeps insertion order, so this moves the entry to the end and the stalest one is evicted.
  known.delete(agentId)
  if (known.size >= KEPT_MAX) known.delete(known.keys().next().value!)
  known.set(agentId, entry)
}

export function reputationOf({
  judged,
  approved,
  disputes,
  overturned,
  median_review_s,
}: Omit<VerdictCounts, 'agent_id'>): Reputation {
  return {
    verdicts: judged,
    disputes,
    approval_rate: percent(rateOf(approved, judged)),
    overturn_rate: percent(rateOf(overturned, disputes)),
    median_review_s: typicalOf(
      median_review_s === null ? null : Math.round(median_review_s),
      judged,
    ),
    paid_chance: (approved + PRIOR.approved) / (judged + PRIOR.judged),
  }
}

const percent = (share: number | null) => (share === null ? null : Math.round(share * 100) / 100)
