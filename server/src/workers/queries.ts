import assert from 'node:assert/strict'
import type { Selectable } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { idPattern } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { workerNotFound } from './errors.ts'

export type Worker = Selectable<Schema['workers']>

const WORKER_ID = idPattern('worker')

/** The calling worker. The session was just looked up, so the row must exist. */
export async function callingWorker(db: Reader, workerId: string): Promise<Worker> {
  const worker = await byId(db, workerId)
  assert(worker, `${workerId} has a session but does not exist`)
  return worker
}

export async function findWorker(db: Reader, workerId: string): Promise<Worker> {
  const worker = WORKER_ID.test(workerId) ? await byId(db, workerId) : undefined
  if (worker === undefined) throw workerNotFound()
  return worker
}

/** Emails are matched case-insensitively. */
export async function workerIdOf(db: Reader, email: string): Promise<string | undefined> {
  const known = await db
    .selectFrom('worker_emails')
    .select('worker_id')
    .where('email', '=', email.toLowerCase())
    .executeTakeFirst()
  return known?.worker_id
}

export const byId = (db: Reader, workerId: string) =>
  db.selectFrom('workers').selectAll().where('id', '=', workerId).executeTakeFirst()
