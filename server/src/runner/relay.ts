/**
 * The relay: turns outbox rows into the jobs that handle them, in batches. Operations only write an outbox row; adding
 * a job inside their transactions was measured to cost four fifths of the throughput.
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import type { Background, Job } from '../kit/job.ts'
import {
  type Span,
  SpanKind,
  traceparentOf,
  type Traces,
  tracesOf,
  readTraceparent,
} from '../kit/traces.ts'
import { loop } from './loop.ts'

const BATCH = 500
const FIND_ANY = 'select 1 from outbox order by position limit 1'

interface RelayEvent {
  id: string
  type: string
  agent_id: string | null
  task_id: string | null
  created_at: Date
  mode: Mode
  traceparent: string | null
}

type TracedEvent = RelayEvent & { traceparent: string }

export function startRelay(
  background: Background,
  {
    jobs,
    take,
    traceDeliveries,
    onRelayed = () => {},
    name = 'relay',
  }: {
    jobs: readonly Job[]
    take(tx: Tx, limit: number): Promise<RelayEvent[]>
    /** Keeps the traces of these events with their deliveries. */
    traceDeliveries(tx: Tx, events: TracedEvent[]): Promise<void>
    /** Called with each batch, once it is committed. */
    onRelayed?(events: readonly RelayEvent[]): void
    name?: string
  },
) {
  const { db, config, metrics } = background
  return loop(background, {
    name,
    intervalMs: config.RELAY_INTERVAL_MS,
    async step() {
      // Planning the statement that takes events costs some milliseconds, which an idle relay would spend all the time.
      if ((await db.call('find_outbox', FIND_ANY, [])).length === 0) return 'idle'
      const { events, spans } = await db.transaction(async (tx) => {
        const startTime = performance.now()
        const taken = await take(tx, BATCH)
        const { events: relayed, spans } = inSpans(tracesOf(config), taken, startTime)
        await traceDeliveries(tx, relayed.filter(isTraced))
        await addJobs(tx, jobsFor(jobs, relayed, db.schema.name))
        return { events: relayed, spans }
      })
      for (const span of spans) span.end()
      for (const { type } of events) metrics.relayed.inc({ type })
      onRelayed(events)
      return events.length === BATCH ? 'more' : 'idle'
    },
  })
}

const isTraced = (event: RelayEvent): event is TracedEvent => event.traceparent !== null

/**
 * Begins a span for each sampled event, as a part of the trace that caused it. Its jobs and deliveries are parts of
 * this span. The events of a batch have different causes, so the batch itself belongs to no trace.
 */
function inSpans(traces: Traces | undefined, events: RelayEvent[], startTime: number) {
  const spans: Span[] = []
  if (traces === undefined) return { spans, events }
  const relayed = events.map((event) => {
    if (!isTraced(event)) return event
    const span = traces.start(`relay ${event.type}`, {
      kind: SpanKind.PRODUCER,
      attributes: { 'legwork.event_id': event.id, 'legwork.batch_size': events.length },
      parent: readTraceparent(event.traceparent),
      startTime,
    })
    spans.push(span)
    return { ...event, traceparent: traceparentOf(span) }
  })
  return { spans, events: relayed }
}

interface JobSpec {
  identifier: string
  payload: unknown
  max_attempts: number
  job_key: string
}

/** Test-mode jobs have their own names, and a separate runner handles them. */
export const queueName = (job: string, mode: Mode) => (mode === 'test' ? `test:${job}` : job)

function jobsFor(jobs: readonly Job[], events: RelayEvent[], schema: string): JobSpec[] {
  return events.flatMap((event) =>
    jobs
      .filter((job) => job.events?.includes(event.type))
      .map((job) => ({
        identifier: queueName(job.name, event.mode),
        payload: { ...event, schema },
        max_attempts: job.attemptsMax,
        job_key: `${job.name}:${event.id}`,
      })),
  )
}

async function addJobs(tx: Tx, specs: JobSpec[]): Promise<void> {
  if (specs.length === 0) return
  await sql`
    select graphile_worker.add_jobs(array(
      select json_populate_record(null::graphile_worker.job_spec, spec)
        from json_array_elements(${JSON.stringify(specs)}::json) spec))`.execute(tx)
}
