import type { z } from 'zod'
import type { Config } from '../config.ts'
import type { Clock } from './clock.ts'
import type { Db } from './db.ts'
import type { Mode } from './endpoint.ts'
import type { Log } from './log.ts'
import type { Metrics } from './metrics.ts'

/** What background work is given. */
export interface Background {
  db: Db
  clock: Clock
  config: Config
  log: Log
  metrics: Metrics
}

/** Background work, declared as data. A job may run twice, so its `run` must be safe to repeat. */
export interface Job<Payload extends z.ZodType = z.ZodType> {
  name: string
  payload: Payload
  /** How many times it is tried, with a growing delay, before an operator is told. */
  attemptsMax: number
  /** When it runs by itself, as a cron expression; absent when events start it. */
  schedule?: string
  /** The types of event that start it; its payload is then the event. */
  events?: readonly string[]
  run(background: Background & { payload: z.output<Payload> }): Promise<void>
}

export function job<P extends z.ZodType>(declaration: Job<P>): Job<P> {
  return declaration
}

/**
 * A timer, declared as data: rows whose time has come are claimed in batches by an index on a column, so that a
 * million waiting tasks cost a million index entries and no jobs.
 */
export interface Sweep {
  name: string
  /** Moves rows of test mode alone: it uses the database connections of test mode. */
  isTest?: boolean
  /** Looks at the rows of each mode apart, so that live ones never wait behind those of test mode. */
  isByMode?: boolean
  /** Finds up to `limit` due rows, without locking them: of one mode, or of both where none is named. */
  due(background: Background, limit: number, mode?: Mode): Promise<DueRow[]>
  /** Moves those of the rows that are still due, in one transaction, and says how many. All are of one database. */
  move(background: Background, rows: DueRow[]): Promise<number>
}

export interface DueRow {
  id: string
}

export function sweep(declaration: Sweep): Sweep {
  return declaration
}
