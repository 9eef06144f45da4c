import type { Reader } from '../../kit/db.ts'
import { placesOf, readShards } from '../../kit/everywhere.ts'
import { timeOf } from '../../kit/ids.ts'
import { sql } from 'kysely'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  nextFact,
  related,
  relatedById,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

/** An event for an agent, or work of ours, with its deliveries: `evt_…`, or `event_` and that id. */
export async function findEvent({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const eventId = id.replace(/^event_/, '')
  const places = placesOf({ shards: shards.readers, global: shards.global.reader })
  const [row] = (await readShards(places, (reader) => inOutbox(reader, eventId))).flat()
  const { reader } = shards.at(eventId)
  const told = await inLog(reader, eventId)
  const known = row ?? told
  if (known === undefined) return undefined
  const [attempts, delivery] = await deliveriesOf(reader, eventId)
  const { agent_id, task_id } = known
  const about = row?.about ?? null
  const isWaiting = row !== undefined
  return {
    id: `event_${eventId}`,
    kind: 'event',
    title: known.type,
    status: isWaiting ? 'not relayed' : delivery === undefined ? 'relayed' : 'being delivered',
    mode: null,
    facts: [
      nextFact(
        isWaiting
          ? 'The relay takes it within a second. If it stays, the jobs process is down. Runbook: jobs-backlog.'
          : null,
      ),
      textFact('Event', eventId),
      idFact('Agent', agent_id),
      idFact('Task', task_id),
      textFact('Attempts', attempts.length),
      delivery === undefined ? undefined : textFact('Attempts at most', delivery.attempts_max),
      delivery === undefined ? undefined : timeFact('Next try', delivery.next_try_at),
    ],
    timeline: inOrder([
      ...moment(known.created_at, 'Happened'),
      ...attempts.flatMap(({ number, outcome, status, error, ms, created_at }) =>
        moment(
          created_at,
          `Attempt ${number}: ${outcome.replaceAll('_', ' ')}, ${status ?? error ?? 'no response'}, ${ms} ms`,
        ),
      ),
    ]),
    related: [
      ...related('agent', agent_id, 'Agent'),
      ...related('task', task_id, 'Task'),
      ...(about === null ? [] : relatedById(about)),
      ...(delivery === undefined
        ? []
        : related('receiver', `receiver_${delivery.lane}`, 'Receiver')),
    ],
  }
}

/** The data stays out: it can contain a proof. */
const inOutbox = (reader: Reader, eventId: string) =>
  reader
    .selectFrom('outbox')
    .select(['type', 'agent_id', 'task_id', 'created_at'])
    .select(sql<string | null>`data ->> 'id'`.as('about'))
    .where('id', '=', eventId)
    .limit(1)
    .execute()

/** Its id has the time, so one partition is read. */
const inLog = (reader: Reader, eventId: string) =>
  reader
    .selectFrom('events')
    .select(['type', 'agent_id', 'task_id', 'created_at'])
    .where('created_at', '=', timeOf(eventId))
    .where('id', '=', eventId)
    .executeTakeFirst()

const deliveriesOf = (reader: Reader, eventId: string) =>
  Promise.all([
    reader
      .selectFrom('delivery_attempts')
      .select(['number', 'outcome', 'status', 'error', 'ms', 'created_at'])
      .where('event_id', '=', eventId)
      .orderBy('id')
      .execute(),
    reader
      .selectFrom('deliveries')
      .select(['lane', 'attempts_max', 'next_try_at'])
      .where('event_id', '=', eventId)
      .executeTakeFirst(),
  ])
