import type { Background } from '../kit/job.ts'
import type { Caller, Reply } from './call.ts'
import { renderEvent } from './event-view.ts'
import type { HeldLane } from './held-lanes.ts'
import { addressOf, judge } from './judge.ts'
import type { DueDelivery } from './lanes.ts'
import type { Attempt } from './record-attempts.ts'
import { signer } from './sign.ts'
import { isTampered, tamper } from './tampered.ts'

/** Makes one attempt to deliver. Never throws. */
export async function sendDelivery(
  { clock, log, metrics }: Background,
  caller: Caller,
  { lane, row }: { lane: HeldLane; row: DueDelivery },
): Promise<Attempt> {
  const at = clock.now()
  const startedMs = performance.now()
  const reply = await post(caller, { lane, row, at }).catch((error: unknown): Reply => {
    log.error({ error, event: row.event_id }, 'could not send an event')
    return { error: 'the event could not be sent' }
  })
  const ms = performance.now() - startedMs
  metrics.deliverySeconds.observe(ms / 1000)
  return judge(row, reply, { agentId: lane.agentId, at, now: clock.now(), ms: Math.round(ms) })
}

async function post(
  caller: Caller,
  { lane, row, at }: { lane: HeldLane; row: DueDelivery; at: Date },
): Promise<Reply> {
  const body = renderEvent({ ...row, id: row.event_id })
  const signed = lane.sign({ id: row.event_id, body, at })
  const headers = isTampered(row) ? tamper(signed) : signed
  return caller.post({ url: addressOf(row), headers, body })
}

/** Signs with the secrets of the row that was read last, because the agent may have rotated them. */
export function useSecrets(
  lane: HeldLane,
  row: DueDelivery,
  { WEBHOOK_SECRET_KEYS }: Pick<Background['config'], 'WEBHOOK_SECRET_KEYS'>,
): void {
  const secrets = `${row.webhook_secret} ${row.webhook_secret_old}`
  if (lane.secrets === secrets) return
  lane.secrets = secrets
  lane.sign = signer(row, { keys: WEBHOOK_SECRET_KEYS, agentId: lane.agentId })
}
