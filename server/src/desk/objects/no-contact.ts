import { findNoContactRow } from '../../targets/decide-no-contact.ts'
import {
  type Found,
  inOrder,
  maskedFact,
  moment,
  nextFact,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const LOOKS = { phone: 'phone', place: 'place', person: 'email' } as const
const TITLES = { phone: 'a phone number', place: 'a place', person: 'a person' }

/** A request of somebody who does not want to be contacted. */
export async function findNoContact({ background, id }: Sought): Promise<Found | undefined> {
  const row = await findNoContactRow(background.db.shards.global.reader, id)
  if (row === undefined) return undefined
  const { kind, state, value, reason, email, created_at, due_at, decided_at, note, ended_at } = row
  return {
    id,
    kind: 'no_contact',
    title: `Request not to contact ${TITLES[kind]}`,
    status: state,
    mode: 'live',
    facts: [
      state === 'requested'
        ? nextFact(
            'Check that the request comes from this person: call the number, or answer by email.',
          )
        : undefined,
      value === null ? undefined : maskedFact('Target', '•••', LOOKS[kind]),
      textFact('Wants an answer by email', email === null ? 'no' : 'yes'),
      state === 'confirmed' ? timeFact('Ends', due_at) : undefined,
      state === 'requested' ? timeFact('Expires', due_at) : undefined,
    ],
    text: [
      ...(reason === null
        ? []
        : [
            {
              label: 'Reason, from a person without an account',
              by: 'agent' as const,
              text: reason,
            },
          ]),
      ...(note === null ? [] : [{ label: 'Our answer', by: 'operator' as const, text: note }]),
    ],
    timeline: inOrder([
      ...moment(created_at, 'Asked'),
      ...moment(decided_at, 'Decided'),
      ...moment(ended_at, `Ended: ${state}`),
    ]),
  }
}
