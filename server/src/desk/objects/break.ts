import type { Reader } from '../../kit/db.ts'
import { processorKeys } from '../../ledger/movements.ts'
import type { BreakKind } from '../../reconcile/breaks.ts'
import { namesOf } from '../cases.ts'
import { findByReference } from './by-reference.ts'
import { keyed, ledgerLines } from './ledger-lines.ts'
import {
  type Found,
  inOrder,
  moment,
  moneyFact,
  nextFact,
  related,
  relatedById,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const OUR_IDS = /\b(?:po|txn|rfd|wd|task)_[0-9a-z]{26}\b/g
const NOTIFICATION = /\bevt_\w+$/

/** A difference between our books and the processor's. */
export async function findBreak({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const { reader } = shards.global
  const number = Number(/^break_(\d{1,15})$/.exec(id)?.[1] ?? Number.NaN)
  if (!Number.isSafeInteger(number)) return undefined
  const broken = await reader
    .selectFrom('money_breaks')
    .selectAll()
    .where('id', '=', number)
    .executeTakeFirst()
  if (broken === undefined) return undefined
  const { subject, amount_cents, detail, opened_at, seen_at, closed_at, explanation } = broken
  const kind = broken.kind as BreakKind
  const transaction = await transactionOf(reader, subject)
  const reference = transaction?.source_id ?? null
  const about = reference === null ? [] : await findByReference(shards, reference)
  const names = await namesOf(reader, [broken.explained_by])
  return {
    id,
    // In the shell, a break is its number; money in suspense is resolved under the processor's transaction.
    subjects: [String(number), `#${number}`, ...(transaction === undefined ? [] : [subject])],
    kind: 'break',
    title: detail,
    status: closed_at !== null ? 'closed' : explanation !== null ? 'explained' : 'open',
    mode: 'live',
    facts: [
      closed_at === null ? nextFact(nextFor(kind, broken)) : undefined,
      textFact('Kind', kind.replaceAll('_', ' ')),
      moneyFact('Difference', amount_cents),
      textFact(kind === 'unmatched_line' ? 'Ledger key' : 'About', subject),
      ...(transaction === undefined
        ? []
        : [
            textFact('Type at the processor', transaction.type),
            moneyFact('Amount at the processor', transaction.amount_cents),
            moneyFact('Its fee', transaction.fee_cents),
            textFact('Processor reference', reference),
            timeFact('Moved at', transaction.created_at),
          ]),
      timeFact('Found', opened_at),
      timeFact('Last found', seen_at),
      broken.explained_by === null
        ? undefined
        : textFact('Explained by', names(broken.explained_by).name),
    ],
    text: explanation === null ? [] : [{ label: 'Explanation', by: 'operator', text: explanation }],
    timeline: inOrder([
      ...moment(transaction?.created_at ?? null, 'Moved at the processor'),
      ...moment(transaction?.mirrored_at ?? null, 'Listed by the processor'),
      ...moment(opened_at, 'Break found'),
      ...moment(closed_at, 'Break closed: the difference is gone'),
    ]),
    money: await ledgerLines(shards.readers, [
      keyed(
        transaction === undefined
          ? [subject]
          : processorKeys({ balanceTransactionId: subject, suspenseId: subject }),
      ),
    ]),
    related: [
      ...about.flatMap((one) => related(one.kind, one.id, one.title)),
      ...[...new Set(`${subject} ${detail}`.match(OUR_IDS))].flatMap(relatedById),
      ...(NOTIFICATION.exec(detail) ?? []).flatMap((event) =>
        related('notification', `notification_${event}`, 'Oldest notification'),
      ),
    ],
  }
}

const transactionOf = (reader: Reader, id: string) =>
  reader.selectFrom('balance_transactions').selectAll().where('id', '=', id).executeTakeFirst()

function nextFor(
  kind: BreakKind,
  { subject, amount_cents }: { subject: string; amount_cents: number },
): string {
  switch (kind) {
    case 'suspense':
      return amount_cents > 0
        ? 'Find out whose money it is: give it to an agent, send it back to the payer, or book it as our own.'
        : 'Find out who withdrew it, then book it as our own expense.'
    case 'unmatched_transaction':
    case 'unmatched_line':
    case 'wrong_amount':
      return 'Look up the reference in the processor’s dashboard, then explain the break. Runbook: money-unexplained.'
    case 'balance_differs':
      return 'Wait for the next reconciliation. If the difference stays, follow the runbook money-unexplained.'
    case 'own_funds':
      return 'Top up our balance at the processor. Runbook: own-funds-negative.'
    case 'stuck':
      return nextForStuck(subject)
  }
}

function nextForStuck(subject: string): string {
  if (subject.startsWith('notifications'))
    return 'Handle the notifications again, in the queue of notifications that were given up.'
  if (subject.startsWith('payouts held'))
    return 'Release the payouts, or keep holding them, in their queue.'
  if (subject.startsWith('payouts failed') || subject.startsWith('payouts taken back'))
    return 'Send the payouts again, in their queue. Runbook: payouts-stuck.'
  if (subject.startsWith('payouts')) return 'Open the oldest payout. Runbook: payouts-stuck.'
  if (subject.startsWith('chargebacks'))
    return 'Send evidence in the processor’s dashboard; otherwise the chargebacks are lost.'
  if (subject.startsWith('deposits'))
    return 'Open the oldest deposit. Runbook: deposits-unconfirmed.'
  return 'Check whether the processor can be reached. Runbook: processor-down.'
}
