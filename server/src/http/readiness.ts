/** Whether this process should receive requests. Responds within three seconds, whatever hangs. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Clock } from '../kit/clock.ts'

export interface Readiness {
  checks: Record<string, boolean>
  /** An explanation for each failed check that has more to say than its name. */
  reasons: Record<string, string>
}

interface Probe {
  ask<Row extends object>(text: string): Promise<Row>
}

const ANSWER_MS = 1_500

export async function checkReadiness({
  isAccepting,
  probe,
  clock,
}: {
  isAccepting: boolean
  probe: Probe
  clock: Clock
}): Promise<Readiness> {
  const looked = await Promise.race([
    lookAtDatabase(probe),
    sleep(ANSWER_MS, away(`the database did not answer within ${ANSWER_MS} ms`), { ref: false }),
  ])
  const doubt = clock.doubt?.()
  return {
    checks: { accepting: isAccepting, ...looked.checks, clock: doubt === undefined },
    reasons: { ...looked.reasons, ...(doubt && { clock: doubt.message }) },
  }
}

async function lookAtDatabase(probe: Probe): Promise<Readiness> {
  try {
    await probe.ask('select 1')
  } catch (error) {
    return away(messageOf(error))
  }
  try {
    await probe.ask('select 1 from graphile_worker.jobs limit 1')
  } catch (error) {
    return { checks: { database: true, queue: false }, reasons: { queue: messageOf(error) } }
  }
  return { checks: { database: true, queue: true }, reasons: {} }
}

const away = (why: string): Readiness => ({
  checks: { database: false, queue: false },
  reasons: { database: why },
})

function messageOf(error: unknown): string {
  if (!(error instanceof Error)) return String(error)
  return error.cause instanceof Error ? error.cause.message : error.message
}
