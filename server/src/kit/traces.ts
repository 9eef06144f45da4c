/**
 * Traces: where the time of a request went, from the caller through the database, the outbox and the jobs to webhooks
 * and the payment processor (docs/traces.md). Here is what the rest of the server uses; export-traces.ts sends the
 * spans.
 *
 * The decision to sample is made once, before the first span. Work that is not sampled has no span and no context, so
 * it costs one look at an empty AsyncLocalStorage per span that it would have had.
 */
import { AsyncLocalStorage } from 'node:async_hooks'
import {
  type Attributes,
  type Span,
  type SpanContext,
  type SpanKind,
  SpanStatusCode,
  type TimeInput,
  TraceFlags,
} from '@opentelemetry/api'
import type { Config } from '../config.ts'
import { ApiError } from './errors.ts'

export { type Span, SpanKind } from '@opentelemetry/api'

export interface SpanOptions {
  kind?: SpanKind
  attributes?: Attributes
}

export interface NewSpan extends SpanOptions {
  /** Absent for the first span of a trace. */
  parent?: SpanContext | undefined
  links?: readonly SpanContext[]
  startTime?: TimeInput
}

export interface Traces {
  /** Whether to sample work that belongs to no trace yet. */
  isChosen(): boolean
  /** Whether one more request may be sampled because its caller asks for it. */
  mayFollowCaller(): boolean
  start(name: string, options: NewSpan): Span
  /** Sends the spans that are left. */
  close(): Promise<void>
}

/** The span that the current work belongs to. */
interface Active {
  traces: Traces
  span: Span
  /** Set when the first span of this process has ended: timers that it has started belong to no trace. */
  root: { hasEnded: boolean }
}

const active = new AsyncLocalStorage<Active | undefined>()
const opened = new WeakMap<Config, Traces>()

/** The traces of a running server; undefined if OTEL_EXPORTER_OTLP_ENDPOINT is not set. */
export const tracesOf = (config: Config): Traces | undefined => opened.get(config)

export function useTraces(config: Config, traces: Traces): void {
  opened.set(config, traces)
}

/** Call on shutdown, when nothing makes spans any more. */
export async function closeTraces(config: Config): Promise<void> {
  const traces = opened.get(config)
  opened.delete(config)
  await traces?.close()
}

/** Runs `work` as a part of the current span; without one, only runs it. */
export function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  const parent = active.getStore()
  if (parent === undefined || parent.root.hasEnded) return work()
  const { traces, root } = parent
  const span = traces.start(name, { ...options, parent: parent.span.spanContext() })
  return active.run({ traces, span, root }, () => ending(span, work(span)))
}

/**
 * Runs `work` as the first span of this process in a trace. With a traceparent that we have stored, it continues that
 * trace; without one, it begins a trace if it is chosen.
 */
export function inTrace<T>(
  traces: Traces | undefined,
  name: string,
  { traceparent, ...options }: SpanOptions & { traceparent?: string | null | undefined },
  work: (span?: Span) => Promise<T>,
): Promise<T> {
  if (traces === undefined) return work()
  const parent = readTraceparent(traceparent ?? undefined)
  if (parent === undefined && !traces.isChosen()) return work()
  const span = traces.start(name, { ...options, parent })
  const root = { hasEnded: false }
  return active.run({ traces, span, root }, () =>
    ending(span, work(span)).finally(() => {
      root.hasEnded = true
    }),
  )
}

/** Runs `work` within a span that its caller ends, as an HTTP request that ends with its response. */
export function within<T>(traces: Traces, span: Span, work: () => Promise<T>) {
  const root = { hasEnded: false }
  return {
    result: active.run({ traces, span, root }, work),
    end(time: TimeInput): void {
      root.hasEnded = true
      span.end(time)
    },
  }
}

/** The current span as a batch keeps it for each of its items. */
export const currentTrace = (): Active | undefined => {
  const current = active.getStore()
  return current?.root.hasEnded ? undefined : current
}

/**
 * Runs a batch of several requests' work. Its span is in the trace of the first sampled request and links to all. A
 * batch without one must not count for the request that happened to start it.
 */
export function inBatchSpan<T>(
  name: string,
  items: readonly { trace: Active | undefined }[],
  work: () => Promise<T>,
): Promise<T> {
  const first = items.find(({ trace: one }) => one !== undefined)?.trace
  if (first === undefined)
    return active.getStore() === undefined ? work() : active.run(undefined, work)
  const { traces, root } = first
  const span = traces.start(name, {
    attributes: { 'legwork.batch_size': items.length },
    parent: first.span.spanContext(),
    links: items.flatMap(({ trace: one }) => one?.span.spanContext() ?? []),
  })
  return active.run({ traces, span, root }, () => ending(span, work()))
}

async function ending<T>(span: Span, result: Promise<T>): Promise<T> {
  try {
    return await result
  } catch (error) {
    markFailed(span, error)
    throw error
  } finally {
    span.end()
  }
}

/** Only the kind of the error: its message may contain personal data. */
function markFailed(span: Span, error: unknown): void {
  if (error instanceof ApiError) span.setAttribute('error.type', error.code)
  else {
    const { code, name } = error as { code?: string | number; name?: string }
    span.setAttribute('error.type', code ?? name ?? 'unknown')
    span.setStatus({ code: SpanStatusCode.ERROR })
  }
}

const TRACEPARENT = /^00-(?!0{32})([0-9a-f]{32})-(?!0{16})([0-9a-f]{16})-([0-9a-f]{2})$/

/** Reads a header or a stored value by the rules of W3C Trace Context; undefined if it is not one. */
export function readTraceparent(text: unknown): SpanContext | undefined {
  const found = typeof text === 'string' ? TRACEPARENT.exec(text) : null
  if (found === null) return undefined
  const [, traceId, spanId, flags] = found as unknown as [string, string, string, string]
  return {
    traceId,
    spanId,
    traceFlags: Number.parseInt(flags, 16) & TraceFlags.SAMPLED,
    isRemote: true,
  }
}

export function traceparentOf(span: Span): string {
  const { traceId, spanId } = span.spanContext()
  return `00-${traceId}-${spanId}-01`
}

/** To store with work that is done later, or to send with a request; undefined if the current work is not sampled. */
export function currentTraceparent(): string | undefined {
  const current = currentTrace()
  return current && traceparentOf(current.span)
}

/** For log lines. */
export const currentTraceId = (): string | undefined => currentTrace()?.span.spanContext().traceId
