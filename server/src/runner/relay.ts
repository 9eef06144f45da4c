/**
 * The relay: turns outbox rows into the jobs that handle them, in batches. Operations only write an outbox row; adding
 * a job inside their transactions was measured to cost four fifths of the throughput.
 */
import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import type { Background, Job } from '../kit/job.ts'
import { loop } from './loop.ts'

const BATCH = 500

interface RelayEvent {
  id: string
  type: string
  created_at: Date
  mode: Mode
}

export function startRelay(
  background: Background,
  {
    jobs,
    take,
    name = 'relay',
  }: {
    jobs: readonly Job[]
    take(tx: Tx, limit: number): Promise<RelayEvent[]>
    name?: string
  },
) {
  const { db, config, metrics } = background
  return loop(background, {
    name,
    intervalMs: config.RELAY_INTERVAL_MS,
    async step() {
      const events = await db.transaction(async (tx) => {
        const taken = await take(tx, BATCH)
        await addJobs(tx, jobsFor(jobs, taken))
        return taken
      })
      for (const { type } of events) metrics.relayed.inc({ type })
      return events.length === BATCH ? 'more' : 'idle'
    },
  })
}

interface JobSpec {
  identifier: string
  payload: unknown
  max_attempts: number
  job_key: string
}

/** Test-mode jobs have their own names, and a separate runner handles them. */
export const queueName = (job: string, mode: Mode) => (mode === 'test' ? `test:${job}` : job)

function jobsFor(jobs: readonly Job[], events: RelayEvent[]): JobSpec[] {
  return events.flatMap((event) =>
    jobs
      .filter((job) => job.events?.includes(event.type))
      .map((job) => ({
        identifier: queueName(job.name, event.mode),
        payload: event,
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
