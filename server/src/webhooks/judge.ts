import { mintId, shardOf } from '../kit/ids.ts'
import type { Reply } from './call.ts'
import type { DueDelivery } from './lanes.ts'
import type { Attempt } from './record-attempts.ts'
import { delayAfter } from './schedule.ts'
import { isTampered } from './tampered.ts'

/** Turns the receiver's response into the attempt to log, including the time of the next retry. */
export function judge(
  row: DueDelivery,
  reply: Reply,
  { agentId, at, now, ms }: { agentId: string; at: Date; now: Date; ms: number },
): Attempt {
  const number = row.attempts + 1
  const outcome = outcomeOf(reply, {
    isLast: number >= row.attempts_max || isTampered(row),
    isPlay: isTampered(row),
  })
  const answered = 'error' in reply ? undefined : reply
  return {
    id: mintId('dlv', at, shardOf(agentId)),
    event_id: row.event_id,
    agent_id: agentId,
    task_id: row.task_id,
    type: row.type,
    url: addressOf(row),
    is_callback: row.url !== null,
    number,
    outcome,
    status: answered?.status ?? null,
    error: 'error' in reply ? reply.error.toWellFormed() : null,
    answer: answered?.answer.toWellFormed() ?? null,
    ms,
    next_try_at:
      outcome === 'failed' ? new Date(now.getTime() + delayAfter(number, answered)) : null,
    created_at: at,
  }
}

function outcomeOf(
  { status = 0 }: Reply,
  { isLast, isPlay }: { isLast: boolean; isPlay: boolean },
): Attempt['outcome'] {
  if (status >= 200 && status < 300) return 'delivered'
  if (status === 410 && !isPlay) return 'disabled'
  return isLast ? 'given_up' : 'failed'
}

/** A task's callback_url takes precedence over the agent's webhook_url. */
export const addressOf = ({ url, webhook_url }: Pick<DueDelivery, 'url' | 'webhook_url'>) =>
  url ?? webhook_url!
