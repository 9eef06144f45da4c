import { namesOf } from '../cases.ts'
import { attemptMoments, attemptsOf } from './attempts-of.ts'
import { keyed, ledgerLines } from './ledger-lines.ts'
import {
  type Found,
  inOrder,
  moment,
  moneyFact,
  nextFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const NEXT: Readonly<Record<string, string>> = {
  requested: 'Nothing to do: the request is repeated automatically until the processor answers.',
  failed: 'The money is still in our balance. Withdraw it again once the cause is repaired.',
}

/** Our own money on its way to our bank. */
export async function findWithdrawal({
  background: { db },
  id,
}: Sought): Promise<Found | undefined> {
  const { shards } = db
  const { reader } = shards.global
  const withdrawal = await reader
    .selectFrom('withdrawals')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (withdrawal === undefined) return undefined
  const { status, processor_payout_id: reference } = withdrawal
  const attempts = await attemptsOf(reader, id)
  const names = await namesOf(reader, [withdrawal.requested_by])
  const transactions =
    reference === null
      ? []
      : await reader
          .selectFrom('balance_transactions')
          .select(['id', 'created_at'])
          .where('source_id', '=', reference)
          .execute()
  return {
    id,
    kind: 'withdrawal',
    title: 'Withdrawal of our own money',
    status,
    mode: 'live',
    facts: [
      nextFact(NEXT[status] ?? null),
      moneyFact('Amount', withdrawal.amount_cents),
      textFact('Failure', withdrawal.failure_message),
      textFact('Requested by', names(withdrawal.requested_by).name),
      textFact('Payout at the processor', reference),
      timeFact('Next check', withdrawal.check_at),
    ],
    timeline: inOrder([
      ...moment(withdrawal.created_at, 'Requested', { who: names(withdrawal.requested_by).name }),
      ...attemptMoments(attempts),
      ...moment(status === 'requested' ? null : withdrawal.updated_at, `Ended: ${status}`),
      ...transactions.flatMap((one) => moment(one.created_at, 'Listed by the processor')),
    ]),
    money: await ledgerLines(shards.readers, [keyed(transactions.map((one) => `bt:${one.id}`))]),
    related:
      attempts.length === 0 ? [] : related('attempt', `attempt_${id}`, 'Requests to the processor'),
  }
}
