import type { Selectable } from 'kysely'
import type { Schema } from '../../kit/schema.ts'
import { namesOf } from '../cases.ts'
import { attemptMoments, attemptsOf } from './attempts-of.ts'
import { keyedBy, ledgerLines, onStatementOfAgent } from './ledger-lines.ts'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  moneyFact,
  nextFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

/** Money that goes back from an agent's wallet to the card that it came from. */
export async function findRefund({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const { reader } = shards.at(id)
  const refund = await reader
    .selectFrom('refunds')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (refund === undefined) return undefined
  const { agent_id, deposit_id, status } = refund
  const deposit = await reader
    .selectFrom('deposits')
    .select(['mode', 'charge_id'])
    .where('id', '=', deposit_id)
    .executeTakeFirst()
  const attempts = await attemptsOf(reader, id)
  const names = await namesOf(shards.global.reader, [refund.requested_by])
  return {
    id,
    kind: 'refund',
    title: `Refund to ${agent_id}`,
    status,
    mode: deposit?.mode ?? null,
    facts: [
      nextFact(nextFor(refund)),
      moneyFact('Amount', refund.amount_cents),
      textFact('Failure', refund.failure_code),
      textFact('Failure in words', refund.failure_message),
      textFact('Requested by', names(refund.requested_by).name),
      idFact('Agent', agent_id),
      idFact('Deposit', deposit_id),
      textFact('Charge', deposit?.charge_id ?? null),
      textFact('Refund at the processor', refund.processor_refund_id),
      timeFact('Next check', refund.check_at),
    ],
    text: [{ label: 'Reason', by: 'operator', text: refund.reason }],
    timeline: inOrder([
      ...moment(refund.created_at, 'Requested', { who: names(refund.requested_by).name }),
      ...attemptMoments(attempts),
      ...moment(isOver(refund) ? refund.updated_at : null, `Ended: ${status}`),
    ]),
    money: await ledgerLines([reader], [keyedBy(`refund:${id}`), onStatementOfAgent(agent_id, id)]),
    related: [
      ...related('agent', agent_id, 'Agent'),
      ...related('deposit', deposit_id, 'Deposit'),
      ...(attempts.length === 0
        ? []
        : related('attempt', `attempt_${id}`, 'Requests to the processor')),
    ],
  }
}

type Refund = Selectable<Schema['refunds']>

const isOver = ({ status }: Refund) => ['succeeded', 'rejected', 'failed'].includes(status)

function nextFor({ status, processor_refund_id }: Refund): string | null {
  switch (status) {
    case 'requested':
    case 'submitting':
      return 'Nothing to do: the request is repeated automatically until the processor answers.'
    case 'pending':
      return `The bank needs up to 10 days. After that, ask the processor’s support about ${processor_refund_id}.`
    case 'rejected':
    case 'failed':
      return 'The money is in the wallet again. Refund it again, or agree with the agent on another way.'
    case 'succeeded':
      return null
  }
}
