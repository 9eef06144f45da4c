/** Release a held payout or keep holding it, on an operator's decision. */
import type { Config } from '../config.ts'
import type { Tx } from '../kit/db.ts'
import type { Background } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { payoutNotFound, payoutNotInState } from './errors.ts'
import { NEVER } from './holds.ts'
import { budgetFor, moveOn } from './move-on.ts'
import { lockPayout, type Payout } from './queries.ts'
import { setStatus } from './record.ts'

export interface HoldDecision {
  payoutId: string
  /** `let_go`: the hold ends now. `keep`: the hold lasts until an operator lets it go. */
  verdict: 'let_go' | 'keep'
  /** Who decided and why, for the next person who looks at it. */
  note: string
}

export async function decideHold(
  { db, config, clock }: Background,
  decision: HoldDecision,
): Promise<Payout> {
  const now = clock.now()
  const home = db.shards.at(decision.payoutId)
  const payout = await home.transaction((tx) =>
    applyDecision(tx, decision, { config, ...budgetFor(home), now }),
  )
  if (payout.status === 'requested') reached(config, 'payout.requested')
  return payout
}

async function applyDecision(
  tx: Tx,
  { payoutId, verdict, note }: HoldDecision,
  { config, budgetAt, now }: { config: Config; now: Date } & ReturnType<typeof budgetFor>,
): Promise<Payout> {
  const locked = await lockPayout(tx, payoutId)
  if (locked === undefined) throw payoutNotFound()
  const { payout, account } = locked
  // Once the money is in transit, it is too late to decide.
  if (!['held', 'awaiting_account'].includes(payout.status) || payout.account_id !== null)
    throw payoutNotInState({ status: payout.status })
  if (verdict === 'keep') {
    const until = { hold_reason: 'review' as const, available_at: NEVER, check_at: null }
    return setStatus(tx, payout, { status: 'held', ...until, note }, now)
  }
  const released = { hold_reason: null, available_at: now, cleared_at: now, note }
  const free = await setStatus(tx, payout, released, now)
  return moveOn(tx, free, { account, config, budgetAt, isDecided: true, now })
}
