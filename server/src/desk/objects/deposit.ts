import type { Selectable } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import type { Schema } from '../../kit/schema.ts'
import { processorKeys } from '../../ledger/movements.ts'
import { keyedBy, keyed, ledgerLines, onStatementOfAgent } from './ledger-lines.ts'
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

const SHOWN_MAX = 50

/** A payment of an agent into its wallet, with what was refunded or charged back later. */
export async function findDeposit({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const { shards } = db
  const { reader } = shards.at(id)
  const deposit = await reader
    .selectFrom('deposits')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (deposit === undefined) return undefined
  const { agent_id, status, charge_id } = deposit
  const { refunds, chargebacks } = await readParts(reader, id)
  const transactions = await transactionsOf(shards.global.reader, deposit)
  return {
    id,
    subjects: transactions.map((one) => one.id),
    kind: 'deposit',
    title: `Deposit of ${agent_id}`,
    status,
    mode: deposit.mode,
    facts: [
      nextFact(nextFor(deposit)),
      moneyFact('Amount', deposit.amount_cents),
      moneyFact('Fee of the processor', deposit.fee_cents),
      moneyFact('Refunded', deposit.refunded_cents),
      idFact('Agent', agent_id),
      textFact('Payment session', deposit.session_id),
      textFact('Payment intent', deposit.payment_intent_id),
      textFact('Charge', charge_id),
      textFact(
        'Balance transaction',
        deposit.balance_transaction_id ?? transactions[0]?.id ?? null,
      ),
      timeFact('Page expires', deposit.expires_at),
      timeFact('Next check', deposit.check_at),
    ],
    timeline: inOrder([
      ...moment(deposit.created_at, 'Deposit begun', { who: agent_id }),
      ...moment(deposit.succeeded_at, 'Money arrived'),
      ...moment(deposit.decided_at, 'Operator decided about the money in suspense'),
      ...refunds.flatMap((refund) => [
        ...moment(refund.created_at, 'Refund requested', { id: refund.id }),
        ...moment(refund.updated_at, `Refund ${refund.status}`, { id: refund.id }),
      ]),
      ...chargebacks.flatMap((chargeback) => [
        ...moment(chargeback.created_at, 'Payment charged back', { id: chargeback.id }),
        ...moment(chargeback.updated_at, `Chargeback: ${chargeback.status.replaceAll('_', ' ')}`, {
          id: chargeback.id,
        }),
      ]),
    ]),
    money: await ledgerLines(shards.readers, [
      keyedBy(`deposit:${id}`),
      onStatementOfAgent(agent_id, id),
      // Money in suspense, and the processor's fee, are booked under the processor's transaction.
      keyed(
        transactions.flatMap((one) =>
          processorKeys({ balanceTransactionId: one.id, suspenseId: one.id }),
        ),
      ),
    ]),
    related: [
      ...related('agent', agent_id, 'Agent'),
      ...refunds.flatMap((refund) => related('refund', refund.id, `Refund, ${refund.status}`)),
      ...chargebacks.flatMap((chargeback) =>
        related(
          'chargeback',
          chargeback.id,
          `Chargeback, ${chargeback.status.replaceAll('_', ' ')}`,
        ),
      ),
      ...(await breaksOf(shards.global.reader, transactions)),
    ],
  }
}

type Deposit = Selectable<Schema['deposits']>

function nextFor({ status, decided_at }: Deposit): string | null {
  if (status === 'mismatched' && decided_at === null)
    return 'The payment doesn’t match the order: give the money to the agent, send it back, or book it as our own.'
  if (status === 'mismatched') return null
  if (['creating', 'open', 'processing'].includes(status))
    return 'Nothing to do: the processor is asked until it knows the outcome.'
  if (status === 'disputed')
    return 'Send evidence about the chargeback in the processor’s dashboard.'
  return null
}

async function readParts(reader: Reader, depositId: string) {
  const [refunds, chargebacks] = await Promise.all([
    reader
      .selectFrom('refunds')
      .select(['id', 'status', 'created_at', 'updated_at'])
      .where('deposit_id', '=', depositId)
      .orderBy('id')
      .limit(SHOWN_MAX)
      .execute(),
    reader
      .selectFrom('chargebacks')
      .select(['id', 'status', 'created_at', 'updated_at'])
      .where('deposit_id', '=', depositId)
      .orderBy('id')
      .limit(SHOWN_MAX)
      .execute(),
  ])
  return { refunds, chargebacks }
}

/** The processor's movements of this payment. The list of them can be some minutes behind. */
async function transactionsOf(
  global: Reader,
  { charge_id, balance_transaction_id: own }: Deposit,
): Promise<{ id: string }[]> {
  if (charge_id === null) return []
  const listed = await global
    .selectFrom('balance_transactions')
    .select('id')
    .where('source_id', '=', charge_id)
    .orderBy('id')
    .limit(SHOWN_MAX)
    .execute()
  return own === null || listed.some(({ id }) => id === own) ? listed : [{ id: own }, ...listed]
}

async function breaksOf(global: Reader, transactions: readonly { id: string }[]) {
  if (transactions.length === 0) return []
  const rows = await global
    .selectFrom('money_breaks')
    .select(['id', 'kind'])
    .where('closed_at', 'is', null)
    .where('kind', 'in', ['suspense', 'unmatched_transaction', 'wrong_amount'])
    .where(
      'subject',
      'in',
      transactions.map(({ id }) => id),
    )
    .execute()
  return rows.flatMap(({ id, kind }) =>
    related('break', `break_${id}`, `Break: ${kind.replaceAll('_', ' ')}`),
  )
}
