import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Mode } from './endpoint.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** The dependencies of background work. */
export interface Background {
  /** The schema that the work is about. */
  db: Db
  clock: Clock
  config: Config
  log: Log
  metrics: Metrics
}

/** A background job, declared as data. A job may run twice, so `run` must be idempotent. */
export interface Job<Payload extends z.ZodType = z.ZodType> {
  name: string
  payload: Payload
  /** Maximum attempts, with backoff, before an operator is alerted. */
  attemptsMax: number
  /** Cron expression for a scheduled job; absent if events start it. */
  schedule?: string
  /** A scheduled job runs once for each shard; if it is global, once with the global schema. */
  isGlobal?: boolean
  /** The event types that start it; its payload is then the event. */
  events?: readonly string[]
  run(background: Background & { payload: z.output<Payload> }): Promise<void>
}

export function job<P extends z.ZodType>(declaration: Job<P>): Job<P> {
  return declaration
}

/**
 * A timer, declared as data: due rows are claimed in batches through an index on a column, so a million waiting tasks
 * cost a million index entries and no jobs.
 */
export interface Sweep {
  name: string
  /** Its rows are in the global schema, not in the shards. */
  isGlobal?: boolean
  /** Handles only test-mode rows, over test mode's database connections. */
  isTest?: boolean
  /** Processes each mode separately, so that live rows never wait behind test-mode rows. */
  isByMode?: boolean
  /** Finds up to `limit` due rows without locking them, of one mode, or of both if none is given. */
  due(background: Background, limit: number, mode?: Mode): Promise<DueRow[]>
  /** Moves the rows that are still due, in one transaction, and returns how many. All rows are in one database. */
  move(background: Background, rows: DueRow[]): Promise<number>
}

export interface DueRow {
  id: string
}

export function sweep(declaration: Sweep): Sweep {
  return declaration
}
