/** Retry a failed or reversed payout, on an operator's request. */
import type { Background } from '../kit/job.ts'
import { reached } from '../kit/crash-points.ts'
import { payoutNotFound, payoutNotInState } from './errors.ts'
import { openAgain } from './open.ts'
import { findPayout, type Payout } from './queries.ts'

/** Opens a new payout. A second call is refused, because the first retry exists. */
export async function retryPayout(
  { db, config, clock }: Background,
  { payoutId }: { payoutId: string },
): Promise<Payout> {
  const shard = db.shards.at(payoutId)
  const previous = await findPayout(shard.reader, payoutId)
  if (previous === undefined) throw payoutNotFound()
  if (previous.status !== 'failed' && previous.status !== 'reversed')
    throw payoutNotInState({ status: previous.status })
  const now = clock.now()
  const opened = await shard.transaction((tx) => openAgain(tx, previous, { config, now }))
  if (opened === undefined) throw payoutNotInState({ status: 'retried' })
  reached(config, 'payout.opened')
  if (opened.status === 'requested') reached(config, 'payout.requested')
  return opened
}
