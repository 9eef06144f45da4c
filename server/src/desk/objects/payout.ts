import type { Selectable } from 'kysely'
import type { Schema } from '../../kit/schema.ts'
import { heldUntil, holdWords } from '../../ops/payout-waits.ts'
import { attemptMoments, attemptsOf } from './attempts-of.ts'
import { keyedBy, ledgerLines, onStatementOfWorker } from './ledger-lines.ts'
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

export async function findPayout({ background, id }: Sought): Promise<Found | undefined> {
  const { reader } = background.db.shards.at(id)
  const payout = await reader
    .selectFrom('payouts')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (payout === undefined) return undefined
  const next = await reader
    .selectFrom('payouts')
    .select(['id', 'status'])
    .where('previous_id', '=', id)
    .executeTakeFirst()
  const attempts = await attemptsOf(reader, id)
  const signals = await reader
    .selectFrom('payout_signals')
    .select(['sign', 'score', 'detail'])
    .where('payout_id', '=', id)
    .orderBy('score', 'desc')
    .orderBy('sign')
    .execute()
  const isHeld = payout.status === 'held'
  return {
    id,
    kind: 'payout',
    title: `Payout to ${payout.worker_id}`,
    status: payout.status,
    mode: payout.mode,
    facts: [
      nextFact(nextFor(payout, next !== undefined)),
      moneyFact('Amount', payout.amount_cents),
      moneyFact('Reversed', payout.reversed_cents),
      isHeld ? textFact('On hold because', holdWords(payout)) : undefined,
      isHeld ? timeFact('Sent automatically at', heldUntil(payout)) : undefined,
      textFact('Signs of fraud', signals.length === 0 ? null : signWords(signals)),
      timeFact('Released by an operator', payout.cleared_at),
      textFact('Failure', payout.failure_code),
      textFact('Failure in words', payout.failure_message),
      textFact('Note', payout.note),
      textFact('Paid from', payout.funding === 'free' ? 'promotional fund' : 'wallet'),
      idFact('Worker', payout.worker_id),
      idFact('Agent', payout.agent_id),
      idFact('Task', payout.task_id),
      idFact('Account', payout.account_id),
      idFact('Transfer', payout.transfer_id),
      timeFact('Next try', payout.check_at),
    ],
    timeline: inOrder([
      ...moment(payout.created_at, 'Created'),
      ...attemptMoments(attempts),
      ...moment(payout.paid_at, 'Paid'),
    ]),
    money: await ledgerLines(
      [reader],
      [keyedBy(`payout:${id}`), onStatementOfWorker(payout.worker_id, id)],
    ),
    related: [
      ...related('worker', payout.worker_id, 'Worker'),
      ...related('task', payout.task_id, 'Task'),
      ...related('agent', payout.agent_id, 'Agent'),
      ...related('payout', payout.previous_id, 'The payout before this one'),
      ...related('payout', next?.id ?? null, `The payout after this one, ${next?.status}`),
      ...(attempts.length === 0
        ? []
        : related('attempt', `attempt_${id}`, 'Requests to the processor')),
    ],
  }
}

const signWords = (signals: { sign: string; score: number; detail: string }[]) =>
  signals
    .map(({ sign, score, detail }) => `${sign.replaceAll('_', ' ')}, score ${score}: ${detail}`)
    .join('; ')

type Payout = Selectable<Schema['payouts']>

function nextFor(payout: Payout, isReplaced: boolean): string | null {
  const { status, hold_reason, check_at } = payout
  if (isReplaced) return 'Nothing to do: the payout after this one replaces it.'
  switch (status) {
    case 'held':
      return hold_reason === 'self_dealing' || hold_reason === 'review'
        ? 'Compare both accounts, then release the payout or keep holding it.'
        : 'Nothing to do: it is sent when the hold ends.'
    case 'awaiting_account':
      return 'The app asks the worker for a bank account. If theirs was refused, replace it on the worker’s page.'
    case 'awaiting_funds':
      return 'Nothing to do: it is sent as soon as our balance at the processor suffices. Top it up if it stays.'
    case 'requested':
    case 'submitting':
      return 'Nothing to do: the request is repeated automatically until the processor answers.'
    case 'failed':
      return check_at === null
        ? 'Repair the cause that the failure names, with the worker if it is the account; then send it again.'
        : 'Nothing to do: it is tried again automatically.'
    case 'reversed':
      return 'The money is in the worker’s balance. Send it again, or leave it.'
    case 'partially_reversed':
    case 'paid':
      return null
  }
}
