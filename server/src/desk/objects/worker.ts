import type { Reader } from '../../kit/db.ts'
import { masked } from '../../ops/look-up.ts'
import { levelOf, pointsOf, trustScore } from '../../workers/trust.ts'
import { ledgerLines, onStatementOfWorker } from './ledger-lines.ts'
import { linkedToWorker } from '../../payouts/links.ts'
import {
  type Found,
  inOrder,
  maskedFact,
  moment,
  moneyFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

const SHOWN_MAX = 50

export async function findWorker({ background, id, now }: Sought): Promise<Found | undefined> {
  const { shards } = background.db
  const { reader } = shards.at(id)
  const worker = await reader
    .selectFrom('workers')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
  if (worker === undefined) return undefined
  const parts = await readParts(reader, id)
  const { account, decisions } = parts
  const trust = await reader
    .selectFrom('trust_events')
    .select(['created_at', 'cause', 'good', 'bad', 'task_id'])
    .where('worker_id', '=', id)
    .orderBy('created_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  const points = pointsOf(worker, trust)
  return {
    id,
    kind: 'worker',
    title: worker.name,
    status: worker.status,
    mode: worker.mode,
    facts: [
      maskedFact('Email', masked(worker.email), 'email'),
      worker.location === null ? undefined : maskedFact('Place', 'set', 'place'),
      timeFact('Check-in missed', parts.checkIn?.missed_at ?? null),
      parts.checkIn?.contact ? maskedFact('Check-in contact', 'set', 'contact') : undefined,
      textFact('Language', worker.app_language),
      textFact('Level', levelOf(worker, now)),
      textFact('Trust', trustScore(worker, now)),
      textFact('Approved', worker.approved_count),
      textFact('Disputed', worker.disputed_count),
      moneyFact('Owed to the worker', parts.ledger?.payable_cents ?? 0),
      moneyFact('Owed by the worker', parts.ledger?.receivable_cents ?? 0),
      textFact('Payout account', account?.status ?? 'none'),
      textFact('Account replaced', account?.replaced_count ?? 0),
      timeFact('Registered', worker.created_at),
      timeFact('Confirmed', worker.verified_at),
      timeFact('Closes', worker.closes_at),
    ],
    text: decisions.flatMap(({ reason, objection, reply_note }) => [
      { label: 'Reason of the decision', by: 'operator' as const, text: reason },
      ...(objection === null
        ? []
        : [{ label: 'Objection', by: 'worker' as const, text: objection }]),
      ...(reply_note === null
        ? []
        : [{ label: 'Reply', by: 'operator' as const, text: reply_note }]),
    ]),
    timeline: inOrder([
      ...moment(worker.created_at, 'Registered'),
      ...moment(worker.verified_at, 'Email confirmed'),
      ...parts.slots.flatMap(({ task_id, status, accepted_at, submitted_at, ended_at }) => [
        ...moment(accepted_at, 'Accepted a task', { id: task_id }),
        ...moment(submitted_at, 'Sent a proof', { id: task_id }),
        ...moment(ended_at, `Assignment ${status}`, { id: task_id }),
      ]),
      ...decisions.flatMap((decision) => [
        ...moment(decision.decided_at, `Account ${decision.kind}`, { who: decision.decided_by }),
        ...moment(decision.objected_at, 'Objected'),
        ...moment(decision.replied_at, `Objection: ${decision.reply}`, {
          who: decision.replied_by,
        }),
        ...moment(decision.ended_at, 'Account active again', { who: decision.ended_by }),
      ]),
      ...moment(worker.closed_at, 'Account closed'),
    ]),
    money: await ledgerLines([reader], [onStatementOfWorker(id)]),
    trust: trust.map(({ created_at, cause, task_id }, n) => ({
      at: created_at.toISOString(),
      cause,
      delta: points[n]!,
      task_id,
    })),
    access: parts.sessions.map((session) => ({
      kind: 'session' as const,
      id: session.id,
      name: [session.browser, session.system].filter(Boolean).join(' on ') || 'Unknown device',
      created_at: session.created_at.toISOString(),
      last_used_at: session.used_at.toISOString(),
      ended_at:
        session.session_version < worker.session_version ? session.expires_at.toISOString() : null,
    })),
    linked: await linkedToWorker(shards, worker),
    related: [
      ...related('agent', worker.agent_id, 'Agent of this test worker'),
      ...parts.payouts.flatMap(({ id: payout, status }) =>
        related('payout', payout, `Payout, ${status}`),
      ),
      ...parts.questions.flatMap(({ id: question, subject, status }) =>
        related('question', question, `Question about ${subject}, ${status}`),
      ),
      ...parts.slots.flatMap(({ task_id, status }) => related('task', task_id, `Task, ${status}`)),
    ],
  }
}

async function readParts(db: Reader, workerId: string) {
  const [ledger, account, decisions, slots, payouts, questions, sessions, checkIn] =
    await Promise.all([
      db
        .selectFrom('ledger_workers')
        .select(['payable_cents', 'receivable_cents'])
        .where('worker_id', '=', workerId)
        .executeTakeFirst(),
      db
        .selectFrom('payout_accounts')
        .select(['status', 'replaced_count'])
        .where('worker_id', '=', workerId)
        .executeTakeFirst(),
      db
        .selectFrom('worker_decisions')
        .selectAll()
        .where('worker_id', '=', workerId)
        .orderBy('id')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('worker_assignments')
        .select(['id', 'task_id', 'status', 'accepted_at', 'submitted_at', 'ended_at'])
        .where('worker_id', '=', workerId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('payouts')
        .select(['id', 'status'])
        .where('worker_id', '=', workerId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('questions')
        .select(['id', 'subject', 'status'])
        .where('worker_id', '=', workerId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('worker_sessions')
        .select([
          'id',
          'browser',
          'system',
          'created_at',
          'used_at',
          'expires_at',
          'session_version',
        ])
        .where('worker_id', '=', workerId)
        .orderBy('used_at', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('check_ins')
        .select(['missed_at', 'contact'])
        .where('worker_id', '=', workerId)
        .executeTakeFirst(),
    ])
  return { ledger, account, decisions, slots, payouts, questions, sessions, checkIn }
}
