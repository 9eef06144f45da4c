/** Makes spans with OpenTelemetry's SDK and sends them to a collector by OTLP, in batches and in the background. */
import { ROOT_CONTEXT, trace } from '@opentelemetry/api'
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-proto'
import { resourceFromAttributes } from '@opentelemetry/resources'
import {
  AlwaysOnSampler,
  BatchSpanProcessor,
  type SpanExporter,
  TracerProvider,
} from '@opentelemetry/sdk-trace'
import type { Config } from '../config.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'
import type { Traces } from './traces.ts'

const QUEUE_MAX = 4096
const EXPORT_MS = 1000
const EXPORT_TIMEOUT_MS = 5000
const ATTRIBUTE_LENGTH_MAX = 200

/** Undefined if there is no collector to send to. */
export function openTraces(
  config: Config,
  { log, metrics }: { log: Log; metrics: Metrics },
): Traces | undefined {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint } = config
  if (endpoint === undefined) return undefined
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers: headersOf(config.OTEL_EXPORTER_OTLP_HEADERS),
    timeoutMillis: EXPORT_TIMEOUT_MS,
  })
  const provider = new TracerProvider({
    resource: resourceFromAttributes({
      'service.name': config.OTEL_SERVICE_NAME,
      'service.version': config.RELEASE,
    }),
    sampler: new AlwaysOnSampler(),
    spanLimits: { attributeValueLengthLimit: ATTRIBUTE_LENGTH_MAX },
    spanProcessors: [
      // Spans beyond the queue are dropped: a slow collector must not use up memory.
      new BatchSpanProcessor({
        exporter: reporting(exporter, { log, metrics }),
        maxQueueSize: QUEUE_MAX,
        scheduledDelayMillis: EXPORT_MS,
        exportTimeoutMillis: EXPORT_TIMEOUT_MS,
      }),
    ],
  })
  const tracer = provider.getTracer('legwork')
  const callers = openAllowance(config.TRACES_OF_CALLERS_PER_SECOND)

  return {
    // By chance and not by the trace id, as the SDK's sampler does: a caller can choose its trace id.
    isChosen: () => Math.random() < config.OTEL_TRACES_SAMPLER_ARG,
    mayFollowCaller: callers.take,
    start(name, { parent, links = [], ...options }) {
      const context = parent ? trace.setSpanContext(ROOT_CONTEXT, parent) : ROOT_CONTEXT
      const linked = links.map((one) => ({ context: one }))
      return tracer.startSpan(name, { ...options, links: linked }, context)
    },
    close: () => provider.shutdown(),
  }
}

/** A collector that can't be reached costs spans and one log line per failed export, nothing else. */
function reporting(
  exporter: SpanExporter,
  { log, metrics }: { log: Log; metrics: Metrics },
): SpanExporter {
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        metrics.spans.inc({ outcome: result.code === 0 ? 'exported' : 'lost' }, spans.length)
        if (result.code !== 0)
          log.warn({ spans: spans.length, error: result.error }, 'could not export traces')
        done({ code: 0 })
      })
    },
    forceFlush: async () => exporter.forceFlush?.(),
    shutdown: () => exporter.shutdown(),
  }
}

const headersOf = (pairs: readonly string[]): Record<string, string> =>
  Object.fromEntries(
    pairs.map((pair) => {
      const at = pair.indexOf('=')
      return [pair.slice(0, at), decodeURIComponent(pair.slice(at + 1))]
    }),
  )

/** Allows `perSecond` uses in any second, on average; unused ones are kept for one second. */
function openAllowance(perSecond: number) {
  let left = perSecond
  let atMs = performance.now()
  return {
    take(): boolean {
      const nowMs = performance.now()
      left = Math.min(perSecond, left + ((nowMs - atMs) / 1000) * perSecond)
      atMs = nowMs
      if (left < 1) return false
      left -= 1
      return true
    },
  }
}
