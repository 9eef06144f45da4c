import { findByReference } from './by-reference.ts'
import {
  type Found,
  inOrder,
  moment,
  nextFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

/** A notification of the processor: its page is `notification_` and the id of the event. */
export async function findNotification({
  background: { db },
  id,
}: Sought): Promise<Found | undefined> {
  const { shards } = db
  const eventId = id.replace(/^notification_/, '')
  const event = await shards.global.reader
    .selectFrom('processor_events')
    .selectAll()
    .where('event_id', '=', eventId)
    .executeTakeFirst()
  if (event === undefined) return undefined
  const references = [...new Set([event.object_id, event.account_id ?? ''])].filter(Boolean)
  const about = (
    await Promise.all(references.map((reference) => findByReference(shards, reference)))
  ).flat()
  return {
    id,
    subjects: ['all'],
    kind: 'notification',
    title: event.type,
    status: event.status,
    mode: null,
    facts: [
      nextFact(
        event.status === 'dead'
          ? 'Repair the cause that the error names, then handle the notifications again.'
          : event.status === 'pending'
            ? 'Nothing to do: it is tried again automatically.'
            : null,
      ),
      textFact('Error', event.error),
      textFact('Tries', event.attempts),
      textFact('Event at the processor', eventId),
      textFact('Object at the processor', event.object_id),
      textFact('Account at the processor', event.account_id),
      timeFact('Next try', event.check_at),
    ],
    timeline: inOrder([
      ...moment(event.created_at, 'Happened at the processor'),
      ...moment(event.received_at, event.source === 'list' ? 'Found in its list' : 'Received'),
      ...moment(event.handled_at, 'Handled'),
    ]),
    related: about.flatMap((one) => related(one.kind, one.id, one.title)),
  }
}
