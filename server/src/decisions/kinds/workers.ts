/** Shared by the kinds of decisions about a worker's account. */
import type { Reader } from '../../kit/db.ts'
import type { Refused } from '../../workers/decisions.ts'
import { decisionRefused } from '../errors.ts'

/** Turns a refusal in words into an error. */
export async function orRefuse<Row extends object>(outcome: Promise<Row | Refused>): Promise<Row> {
  const row = await outcome
  if ('refusal' in row) throw decisionRefused({ why: row.refusal })
  return row
}

/** The worker of a decision in force, by the id of either. */
export async function workerOf(reader: Reader, id: string): Promise<string | undefined> {
  const row = await reader
    .selectFrom('worker_decisions')
    .select('worker_id')
    .where((one) => one.or([one('id', '=', id), one('worker_id', '=', id)]))
    .where('ended_at', 'is', null)
    .executeTakeFirst()
  return row?.worker_id
}
