import { placesOf, readShards } from '../../kit/everywhere.ts'
import { attemptMoments, attemptsOf } from './attempts-of.ts'
import { keyedBy, ledgerLines } from './ledger-lines.ts'
import {
  type Found,
  inOrder,
  moment,
  nextFact,
  relatedById,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

/** The requests to the processor about one subject: a payout, its reversal, a refund, a withdrawal, or suspense. */
export async function findAttempt({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const subject = id.replace(/^attempt_/, '')
  const places = placesOf({ shards: shards.readers, global: shards.global.reader })
  const attempts = (await readShards(places, (reader) => attemptsOf(reader, subject))).flat()
  const last = attempts.at(-1)
  if (last === undefined) return undefined
  const [owner = subject] = /^[a-z]+_[0-9a-z]{26}/.exec(subject) ?? []
  return {
    id,
    kind: 'attempt',
    title: `Requests to the processor about ${subject}`,
    status: last.outcome ?? 'no outcome',
    mode: null,
    facts: [
      nextFact(last.outcome === null ? nextFor(subject) : null),
      textFact('Last cause', last.last_cause),
      textFact('Tries', last.tries),
      textFact('Code', last.code),
      textFact('Message', last.message),
      textFact('Idempotency key', last.key),
      timeFact('Last sent', last.sent_at),
    ],
    timeline: inOrder([
      ...attemptMoments(attempts),
      ...moment(last.outcome === null ? last.sent_at : null, 'Sent, without an outcome yet'),
    ]),
    money: await ledgerLines(
      shards.readers,
      ['payout', 'refund', 'suspense'].map((kind) => keyedBy(`${kind}:${owner}`)),
    ),
    related: relatedById(owner),
  }
}

function nextFor(subject: string): string {
  if (/^po_\w{26}r\d+$/.test(subject))
    return 'The reversal may have happened. Take back the same amount again: it happens only once.'
  if (/^(?:po|rfd|wd)_\w{26}$/.test(subject))
    return 'Nothing to do: it is repeated automatically. After a day, look it up in the processor’s dashboard.'
  return 'Send the money back to the payer again: it happens only once.'
}
