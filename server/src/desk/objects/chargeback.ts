import type { Selectable } from 'kysely'
import { findAnywhere, type Reader } from '../../kit/db.ts'
import type { Schema } from '../../kit/schema.ts'
import { standOf } from '../../wallet/deposit-status.ts'
import { keyed, ledgerLines } from './ledger-lines.ts'
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

const TASKS_MAX = 20

/** A payment that the card's owner disputes. Its id is that of the processor, which says nothing about the shard. */
export async function findChargeback({
  background: { db },
  id,
}: Sought): Promise<Found | undefined> {
  const { shards } = db
  const chargeback = await findAnywhere(shards, (reader) =>
    reader.selectFrom('chargebacks').selectAll().where('id', '=', id).executeTakeFirst(),
  )
  if (chargeback === undefined) return undefined
  const { agent_id, deposit_id, status, amount_cents } = chargeback
  const { reader } = shards.at(deposit_id)
  const deposit = await reader
    .selectFrom('deposits')
    .select(['mode', 'charge_id', 'payment_intent_id', 'succeeded_at'])
    .where('id', '=', deposit_id)
    .executeTakeFirst()
  const transactions = await shards.global.reader
    .selectFrom('balance_transactions')
    .select('id')
    .where('source_id', '=', id)
    .execute()
  return {
    id,
    kind: 'chargeback',
    title: `Chargeback of ${agent_id}`,
    status,
    mode: deposit?.mode ?? null,
    facts: [
      nextFact(nextFor(chargeback)),
      moneyFact('Amount', amount_cents),
      textFact('Reason', chargeback.reason.replaceAll('_', ' ')),
      timeFact('Evidence due', chargeback.due_by),
      idFact('Agent', agent_id),
      idFact('Deposit', deposit_id),
      textFact('Dispute at the processor', id),
      textFact('Charge', deposit?.charge_id ?? null),
      textFact('Payment intent', deposit?.payment_intent_id ?? null),
      timeFact('Next check', chargeback.check_at),
    ],
    timeline: inOrder([
      ...moment(deposit?.succeeded_at ?? null, 'Payment arrived', { id: deposit_id }),
      ...moment(chargeback.created_at, 'Charged back'),
      ...(chargeback.updated_at.getTime() === chargeback.created_at.getTime()
        ? []
        : moment(chargeback.updated_at, `Last change: ${status.replaceAll('_', ' ')}`)),
    ]),
    money: await ledgerLines(
      [reader],
      [keyed(transactions.flatMap((one) => [`bt:${one.id}`, `bt:${one.id}:fee`]))],
    ),
    related: [
      ...related('agent', agent_id, 'Agent'),
      ...related('deposit', deposit_id, 'Deposit'),
      ...(await paidTasks(reader, agent_id, deposit?.succeeded_at ?? null)),
    ],
  }
}

type Chargeback = Selectable<Schema['chargebacks']>

function nextFor({ id, status }: Chargeback): string | null {
  if (status.endsWith('needs_response'))
    return `Send evidence in the processor’s dashboard, under ${id}: the payment, and the tasks that it paid for.`
  if (status.endsWith('under_review')) return 'Nothing to do: the bank reviews the evidence.'
  switch (standOf(status)) {
    case 'lost':
      return 'The money is gone. What the agent owes is on its page: its next deposit repays it, or write it off.'
    case 'won':
      return 'The money is back. The agent’s restriction has ended, unless it owes us or another chargeback is open.'
    case 'question':
      return 'No money has moved.'
    case 'open':
      return 'Look it up in the processor’s dashboard.'
  }
}

/** Evidence of what the payment bought: the agent's tasks that people have done since. */
async function paidTasks(reader: Reader, agentId: string, since: Date | null) {
  if (since === null) return []
  const tasks = await reader
    .selectFrom('tasks')
    .select(['id', 'status'])
    .where('agent_id', '=', agentId)
    .where('created_at', '>=', since)
    .where('funding', '=', 'wallet')
    .orderBy('id', 'desc')
    .limit(TASKS_MAX)
    .execute()
  return tasks.flatMap((task) => related('task', task.id, `Task, ${task.status}`))
}
