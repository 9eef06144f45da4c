import type { Background } from '../kit/job.ts'
import { exemplarOf } from '../kit/metrics.ts'
import {
  inTrace,
  readTraceparent,
  type Span,
  SpanKind,
  traceparentOf,
  tracesOf,
} from '../kit/traces.ts'
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
  { clock, config, log, metrics }: Background,
  caller: Caller,
  { lane, row }: { lane: HeldLane; row: DueDelivery },
): Promise<Attempt> {
  const at = clock.now()
  const startedMs = performance.now()
  const reply = await inSpanOf(row, config, (span) => post(caller, { lane, row, at, span })).catch(
    (error: unknown): Reply => {
      log.error({ error, event: row.event_id }, 'could not send an event')
      return { error: 'the event could not be sent' }
    },
  )
  const ms = performance.now() - startedMs
  const traceId = readTraceparent(row.traceparent)?.traceId
  metrics.deliverySeconds.observe({ value: ms / 1000, ...exemplarOf(traceId) })
  return judge(row, reply, { agentId: lane.agentId, at, now: clock.now(), ms: Math.round(ms) })
}

/** A delivery is traced if its event is. Its URL is the agent's and may contain a secret, so the span has none. */
async function inSpanOf(
  { traceparent, type, event_id, task_id, attempts }: DueDelivery,
  config: Background['config'],
  send: (span?: Span) => Promise<Reply>,
): Promise<Reply> {
  if (traceparent === undefined) return send()
  const attributes = {
    'legwork.event_id': event_id,
    'legwork.attempt': attempts + 1,
    ...(task_id === null ? {} : { 'legwork.task_id': task_id }),
  }
  const options = { kind: SpanKind.CLIENT, traceparent, attributes }
  return inTrace(tracesOf(config), `webhook ${type}`, options, async (span) => {
    const reply = await send(span)
    if (reply.status !== undefined) span?.setAttribute('http.response.status_code', reply.status)
    return reply
  })
}

async function post(
  caller: Caller,
  { lane, row, at, span }: { lane: HeldLane; row: DueDelivery; at: Date; span: Span | undefined },
): Promise<Reply> {
  const body = renderEvent({ ...row, id: row.event_id })
  const signed = lane.sign({ id: row.event_id, body, at })
  const headers = isTampered(row) ? tamper(signed) : signed
  const sent = span ? { ...headers, traceparent: traceparentOf(span) } : headers
  return caller.post({ url: addressOf(row), headers: sent, body })
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
