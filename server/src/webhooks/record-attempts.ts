import { setTimeout as pause } from 'node:timers/promises'
import { batcher } from '../kit/batch.ts'
import { call } from '../kit/call.ts'
import { ApiError } from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'

/** The result of a delivery attempt, as logged. */
export interface Attempt {
  id: string
  event_id: string
  agent_id: string
  task_id: string | null
  type: string
  url: string
  is_callback: boolean
  number: number
  outcome: 'delivered' | 'failed' | 'given_up' | 'disabled'
  status: number | null
  error: string | null
  answer: string | null
  ms: number
  next_try_at: Date | null
  created_at: Date
}

export interface EndedAttempt {
  attempt: Attempt
  lane: string
  /** Whether the lane's row has to be updated. A success on a healthy lane changes nothing. */
  touchesLane: boolean
}

export type Recorded = 'recorded' | 'disabled' | 'lost'

const BATCH_MAX = 256
/** Retry delays. A cut connection is replaced at once; if the database is down for longer, events are sent again. */
const WAITS_MS = [50, 250, 1000, 3000]

/** Records results of all lanes in batches; a batch holds what arrives while the previous one is being written. */
export function openRecorder(
  { db, clock, log, metrics }: Background,
  { holder, waitsMs = WAITS_MS }: { holder: string; waitsMs?: readonly number[] },
) {
  return batcher<EndedAttempt, Recorded>({
    name: 'record_attempts',
    run,
    sizeMax: BATCH_MAX,
    inFlightMax: 1,
  })

  async function run(ended: EndedAttempt[]): Promise<Recorded[]> {
    const attempts = ended.map(({ attempt }) => attempt)
    for (const [tries, waitMs] of [...waitsMs, undefined].entries()) {
      try {
        const disabled = await record(ended, attempts, { isRepeated: tries > 0 })
        for (const [outcome, { length }] of Map.groupBy(ended, ({ attempt }) => attempt.outcome))
          metrics.deliveries.inc({ outcome }, length)
        return ended.map(({ lane }) => (disabled.has(lane) ? 'disabled' : 'recorded'))
      } catch (error) {
        // Rethrow, so the batcher tries each attempt alone and finds the one that the database rejects.
        if (!(error instanceof ApiError)) throw error
        if (waitMs === undefined) break
        await pause(waitMs)
      }
    }
    log.warn({ attempts: ended.length }, 'could not record attempts; they will be repeated')
    return ended.map(() => 'lost')
  }

  async function record(
    ended: EndedAttempt[],
    attempts: Attempt[],
    { isRepeated }: { isRepeated: boolean },
  ): Promise<Set<string>> {
    const now = clock.now()
    const lanes = whatHappened(ended, now)
    const rows = await call(db, 'webhooks_log_attempts', {
      p_holder: holder,
      p_now: now,
      p_is_repeated: isRepeated,
      p_attempts: attempts,
      p_lanes: lanes,
    })
    return new Set(rows.flatMap(({ id, is_disabled }) => (is_disabled ? [id] : [])))
  }
}

interface Happened {
  id: string
  succeeded: boolean
  /** Failures since the last success. */
  failed: number
  is_gone: boolean
  is_pinged: boolean
  /** The id of the request to email the agent, in case one is needed. */
  work_id: string
}

/** Summarizes attempts, in the order in which they ended, per lane whose row has to be updated. */
export function whatHappened(ended: EndedAttempt[], now: Date): Happened[] {
  const byLane = Map.groupBy(
    ended.filter(({ touchesLane }) => touchesLane),
    ({ lane }) => lane,
  )
  return [...byLane].map(([id, of]) => {
    const attempts = of.map(({ attempt }) => attempt)
    const lastSuccess = attempts.findLastIndex(isAnswered)
    const gone = attempts.findLastIndex((one) => one.outcome === 'disabled' && !one.is_callback)
    return {
      id,
      succeeded: lastSuccess >= 0,
      failed: attempts.length - 1 - lastSuccess,
      is_gone: gone >= 0,
      is_pinged: attempts.some(
        ({ outcome, type }) => outcome === 'delivered' && type === 'webhook.ping',
      ),
      work_id: mintId('evt', now, 0),
    }
  })
}

/** The receiver is alive. That includes one that responds 410 for a single callback_url. */
export const isAnswered = ({ outcome, is_callback }: Pick<Attempt, 'outcome' | 'is_callback'>) =>
  outcome === 'delivered' || (outcome === 'disabled' && is_callback)
