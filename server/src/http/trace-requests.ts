/** One span per sampled request, from its first byte to the end of its response. */
import type { FastifyReply, FastifyRequest } from 'fastify'
import type { AnyEndpoint } from '../kit/endpoint.ts'
import { type Span, SpanKind, type Traces, readTraceparent, within } from '../kit/traces.ts'
import { modeOf } from './test-mode.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** Undefined unless the request is sampled. */
    trace: { id: string; end(status: number, elapsedMs: number): void } | undefined
  }
}

/**
 * Runs the handler of an endpoint. The decision is made here, after admission, so a refused request is never traced.
 *
 * A caller's `traceparent` counts only with a credential and up to a limit: a header costs its sender nothing, and
 * tracing everything that strangers ask for would let them slow us down and fill the collector. A sampled request with
 * a credential is always part of its caller's trace, whoever decided to sample it.
 */
export function traceRequest<T>(
  traces: Traces | undefined,
  endpoint: AnyEndpoint,
  request: FastifyRequest,
  reply: FastifyReply,
  work: () => Promise<T>,
): Promise<T> {
  if (traces === undefined) return work()
  const isKnown = request.agent !== undefined || request.worker !== undefined
  const caller = isKnown ? readTraceparent(request.headers.traceparent) : undefined
  const isAsked = caller?.traceFlags === 1 && traces.mayFollowCaller()
  if (!isAsked && !traces.isChosen()) return work()

  const startTime = performance.now() - reply.elapsedTime
  const span = traces.start(`${endpoint.method} ${endpoint.path}`, {
    kind: SpanKind.SERVER,
    attributes: attributesOf(endpoint, request),
    parent: caller,
    startTime,
  })
  const { result, end } = within(traces, span, work)
  request.trace = {
    id: span.spanContext().traceId,
    end(status, elapsedMs) {
      noteStatus(span, status)
      end(startTime + elapsedMs)
    },
  }
  return result
}

/** The same facts as in the log: no URL, no body, nothing that a caller has written. */
function attributesOf({ method, path }: AnyEndpoint, request: FastifyRequest) {
  const { agent, worker, params, id } = request
  const taskId = (params as { id?: string }).id
  return {
    'http.request.method': method,
    'http.route': path,
    'legwork.request_id': id,
    'legwork.mode': modeOf(request),
    ...(agent && { 'legwork.agent_id': agent.id }),
    ...(worker && { 'legwork.worker_id': worker.id }),
    ...(taskId !== undefined && TASK_ID.test(taskId) && { 'legwork.task_id': taskId }),
  }
}

const TASK_ID = /^task_[0-9a-z]{26}$/

function noteStatus(span: Span, status: number): void {
  span.setAttribute('http.response.status_code', status)
  // 4xx is the caller's error. 2 is ERROR.
  if (status >= 500) span.setStatus({ code: 2 })
}
