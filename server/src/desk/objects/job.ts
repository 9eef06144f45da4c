import { sql } from 'kysely'
import { readShards } from '../../kit/everywhere.ts'
import { type Found, inOrder, moment, nextFact, type Sought, textFact, timeFact } from './object.ts'

const ERROR_MAX = 500

interface Job {
  name: string
  attempts: number
  max_attempts: number
  last_error: string | null
  is_running: boolean
  run_at: Date
  created_at: Date
  updated_at: Date
}

/** A background job: `job_` and its number. Each database counts its own, so a dead one goes first. */
export async function findJob({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const [, number] = /^job_(\d{1,15})$/.exec(id) ?? []
  if (number === undefined) return undefined
  const parts = await readShards(
    db.shards.queues.map(({ reader }) => reader),
    async (reader) => {
      const { rows } = await sql<Job>`
        select task_identifier as name, attempts, max_attempts, last_error, locked_at is not null as is_running,
               run_at, created_at, updated_at
          from graphile_worker.jobs where id = ${Number(number)}`.execute(reader)
      return rows
    },
  )
  const found = parts.flat()
  const job = found.find(isDead) ?? found[0]
  if (job === undefined) return undefined
  return {
    id,
    subjects: ['all', job.name],
    kind: 'job',
    title: job.name,
    status: isDead(job) ? 'dead' : job.is_running ? 'running' : 'waiting',
    mode: null,
    facts: [
      nextFact(isDead(job) ? 'Repair the cause that the error names, then run it again.' : null),
      textFact('Error', job.last_error?.slice(0, ERROR_MAX) ?? null),
      textFact('Tries', `${job.attempts} of ${job.max_attempts}`),
      timeFact('Last change', job.updated_at),
      isDead(job) ? undefined : timeFact('Next try', job.run_at),
    ],
    timeline: inOrder([
      ...moment(job.created_at, 'Requested'),
      ...moment(job.attempts === 0 ? null : job.updated_at, 'Last try ended'),
    ]),
  }
}

const isDead = ({ attempts, max_attempts }: Job) => attempts >= max_attempts
