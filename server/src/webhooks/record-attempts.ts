import { setTimeout as pause } from 'node:timers/promises'
import { batcher } from '../kit/batch.ts'
import { ApiError } from '../kit/errors.ts'
import { mintId } from '../kit/ids.ts'
import type { Background } from '../kit/job.ts'

/** How an attempt to deliver has ended, as it is logged. */
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
  /** Whether the lane's row has to be looked at: of one that is well, a success changes nothing. */
  touchesLane: boolean
}

export type Recorded = 'recorded' | 'disabled' | 'lost'

const BATCH_MAX = 256
/** A connection that was cut is replaced at once; a database that is away longer than this has us send again. */
const WAITS_MS = [50, 250, 1000, 3000]

/** Writes down how attempts have ended, those of all lanes together, as many as come while the last are written. */
export function openRecorder(
  { db, clock, log, metrics }: Background,
  { holder, waitsMs = WAITS_MS }: { holder: string; waitsMs?: readonly number[] },
) {
  return batcher<EndedAttempt, Recorded>({ run, sizeMax: BATCH_MAX, inFlightMax: 1 })

  async function run(ended: EndedAttempt[]): Promise<Recorded[]> {
    const attempts = JSON.stringify(ended.map(({ attempt }) => attempt))
    for (const [tries, waitMs] of [...waitsMs, undefined].entries()) {
      try {
        const disabled = await record(ended, attempts, { isRepeated: tries > 0 })
        for (const [outcome, { length }] of Map.groupBy(ended, ({ attempt }) => attempt.outcome))
          metrics.deliveries.inc({ outcome }, length)
        return ended.map(({ lane }) => (disabled.has(lane) ? 'disabled' : 'recorded'))
      } catch (error) {
        // One that the database refuses is found by trying each alone.
        if (!(error instanceof ApiError)) throw error
        if (waitMs === undefined) break
        await pause(waitMs)
      }
    }
    log.warn({ attempts: ended.length }, 'attempts could not be recorded; they are made again')
    return ended.map(() => 'lost')
  }

  async function record(
    ended: EndedAttempt[],
    attempts: string,
    { isRepeated }: { isRepeated: boolean },
  ): Promise<Set<string>> {
    const now = clock.now()
    const lanes = whatHappened(ended, now)
    const rows = await db.call<{ id: string; is_disabled: boolean }>(
      'record_attempts',
      'select * from webhooks_record_attempts($1, $2, $3, $4, $5)',
      [holder, now, isRepeated, attempts, JSON.stringify(lanes)],
    )
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
  /** Of the request for a mail to the agent, should it come to that. */
  work_id: string
}

/** What attempts, in the order in which they ended, say of those lanes that are not simply well. */
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

/** The receiver is alive: also one that says that this callback_url is no longer there. */
export const isAnswered = ({ outcome, is_callback }: Pick<Attempt, 'outcome' | 'is_callback'>) =>
  outcome === 'delivered' || (outcome === 'disabled' && is_callback)
