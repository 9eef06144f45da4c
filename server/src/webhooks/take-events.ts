import { sql } from 'kysely'
import type { Tx } from '../kit/db.ts'
import type { Mode } from '../kit/endpoint.ts'
import { addDeliveries } from './add-deliveries.ts'
import { WORK_TYPES } from './record-event.ts'

/** An event on its way from the outbox to the agents' event log and to the jobs that handle it. */
export interface TakenEvent {
  id: string
  type: string
  /** Null if the event concerns no agent, such as an email to a worker. */
  agent_id: string | null
  task_id: string | null
  /** Null if `dataOf` leaves it out. */
  data: unknown
  created_at: Date
  /** The mode of the agent, worker or object that it is about. Decides the queue of its jobs. */
  mode: Mode
  /** The span that caused it, if that is sampled. */
  traceparent: string | null
}

/** Only for our own jobs; never visible to agents. */
const WORK = ['mail.requested', 'agent.mail_requested', ...WORK_TYPES]
const INTERNAL = ['task.created', 'task.reopened', ...WORK]

export interface TakeOptions {
  now: Date
  /** `work` skips the data of agents' events: it is in their log, and jobs need only the data of our own work. */
  dataOf?: 'all' | 'work'
  /**
   * `test` takes only events of test agents, `live` all others: each has its own relay, so live events never wait
   * behind those of test mode. Undefined takes all.
   */
  mode?: Mode
}

/** The mode of an event's subject. Work has no agent_id; its subject is the object whose id is in `data`. */
const modeOf = sql`coalesce(
  case
    when agent_id is not null then (select a.mode from agents a where a.id = taken.agent_id)
    when data ->> 'id' ~ '^agent_' then (select a.mode from agents a where a.id = taken.data ->> 'id')
    when data ->> 'id' ~ '^worker_' then (select w.mode from workers w where w.id = taken.data ->> 'id')
    when data ->> 'id' ~ '^asg_' then (
      select a.mode from assignments s join agents a on a.id = s.agent_id where s.id = taken.data ->> 'id')
    when data ->> 'id' ~ '^po_' then (select p.mode from payouts p where p.id = taken.data ->> 'id')
    when data ->> 'id' ~ '^txn_' then (select d.mode from deposits d where d.id = taken.data ->> 'id')
  end, 'live')`

/**
 * Takes the oldest events that no other relay has locked, writes those for agents into the event log with the agent's
 * next numbers, and queues deliveries for those that the agent subscribes to.
 */
export async function takeEvents(
  tx: Tx,
  limit: number,
  { now, dataOf = 'all', mode }: TakeOptions,
): Promise<TakenEvent[]> {
  const isOfTestAgent = sql`exists (select 1 from agents a where a.id = o.agent_id and a.mode = 'test')`
  const isWanted =
    mode === undefined ? sql`true` : mode === 'test' ? isOfTestAgent : sql`not ${isOfTestAgent}`
  const { rows } = await sql<TakenEvent>`
    with taken as (
      -- An array, because a joined sub-select could be run, and lock, again and again.
      delete from outbox where position = any(array(
        select position from outbox o
         -- Work of a kind that only a newer release knows waits for that release's relay.
         where (agent_id is not null or type = any(${WORK})) and ${isWanted}
         order by position limit ${limit} for update skip locked))
      returning position, id, type, agent_id, task_id, sequence, data, created_at, traceparent
    ), told as (
      select * from taken where type <> all(${INTERNAL})
    ), counted as (
      -- In the order of the agents, so that two relays never wait for each other.
      insert into event_counters as c (agent_id, last_number)
        select agent_id, count(*) from told group by agent_id order by agent_id
        on conflict (agent_id) do update set last_number = c.last_number + excluded.last_number
        returning c.agent_id, c.last_number
    ), logged as (
      insert into events (id, type, agent_id, task_id, sequence, data, created_at, number)
        select id, type, agent_id, task_id, sequence, data, created_at,
               last_number + 1 - row_number() over (partition by agent_id order by position desc)
          from told join counted using (agent_id)
        returning id, type, agent_id, task_id, created_at
    ), ${addDeliveries(sql`logged`, { now })}
    select id, type, agent_id, task_id, created_at, traceparent, ${modeOf} as mode,
           case when ${dataOf === 'all'} or type = any(${INTERNAL}) then data end as data
      from taken,
           -- One that stops in the middle, as when its machine is paused, must not hold up all agents for long: it has
           -- locked their counters and lanes.
           (select set_config('idle_in_transaction_session_timeout', '2000', true)) patience
     order by position`.execute(tx)
  return rows
}

/**
 * Takes work from the outbox of a global schema that is apart from the shards: there are no agents, events and
 * deliveries, and all of its work is live.
 */
export async function takeGlobalWork(tx: Tx, limit: number): Promise<TakenEvent[]> {
  const { rows } = await sql<TakenEvent>`
    with taken as (
      delete from outbox where position = any(array(
        select position from outbox where type = any(${WORK}) order by position limit ${limit} for update skip locked))
      returning position, id, type, agent_id, task_id, data, created_at, traceparent
    )
    select id, type, agent_id, task_id, data, created_at, traceparent, 'live' as mode
      from taken order by position`.execute(tx)
  return rows
}
