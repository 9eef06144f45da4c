import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import { WORK_TYPES } from './record-event.ts'

/** An event on its way: out of the outbox, into the log that agents read and to the jobs that act on it. */
export interface TakenEvent {
  id: string
  type: string
  /** None where it concerns no agent, as a mail to a worker. */
  agent_id: string | null
  task_id: string | null
  data: unknown
  created_at: Date
}

/** Told to our own jobs only; agents have no such event. */
const INTERNAL = ['task.created', 'task.reopened', 'mail.requested', ...WORK_TYPES]

/** Takes the oldest events that no other relay holds, and writes those that concern agents into their log. */
export async function takeEvents(tx: Tx, limit: number): Promise<TakenEvent[]> {
  const { rows } = await sql<TakenEvent>`
    with taken as (
      -- An array, because a joined sub-select could be run, and lock, again and again.
      delete from outbox where position = any(array(
        select position from outbox order by position limit ${limit} for update skip locked))
      returning position, id, type, agent_id, task_id, data, created_at
    ), logged as (
      insert into events (id, type, agent_id, task_id, data, created_at)
        select id, type, agent_id, task_id, data, created_at from taken where type <> all(${INTERNAL})
    )
    select id, type, agent_id, task_id, data, created_at from taken order by position`.execute(tx)
  return rows
}
