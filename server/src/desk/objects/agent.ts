import { countVerdicts, type VerdictCounts } from '../../agents/reputations.ts'
import { signsOf } from '../../agents/signs.ts'
import { tierOf } from '../../agents/tiers.ts'
import type { Reader } from '../../kit/db.ts'
import { masked } from '../../ops/look-up.ts'
import type { Fact, ObjectPage } from '../views.ts'
import { ledgerLines, onStatementOfAgent } from './ledger-lines.ts'
import { linkedToAgent } from '../../payouts/links.ts'
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

export async function findAgent({ background, id, now }: Sought): Promise<Found | undefined> {
  const { shards } = background.db
  const { reader } = shards.at(id)
  const agent = await reader
    .selectFrom('agents')
    .select(['id', 'mode', 'twin_id', 'name', 'email', 'status', 'restricted_for', 'webhook_url'])
    .select(['registered_from', 'email_verified_at', 'created_at', 'expires_at'])
    .where('id', '=', id)
    .executeTakeFirst()
  if (agent === undefined) return undefined
  const parts = await readParts(reader, id)
  const verdicts = (await countVerdicts(reader, [id]))[0]
  const signs = await signsOf(shards, agent)
  return {
    id,
    kind: 'agent',
    title: agent.name,
    status: agent.status,
    mode: agent.mode,
    facts: [
      maskedFact('Email', agent.email === null ? null : masked(agent.email), 'email'),
      textFact('Restricted for', agent.restricted_for),
      textFact('Tier', (await tierOf(reader, id, background.config)).name),
      textFact('Signs', signs.length === 0 ? null : signs.join('; ')),
      moneyFact('Wallet', parts.ledger?.wallet_cents ?? 0),
      moneyFact('Owes', parts.ledger?.receivable_cents ?? 0),
      ...verdictFacts(verdicts),
      textFact('Free tasks left', parts.ledger?.free_tasks_remaining ?? 0),
      textFact('Webhook', agent.webhook_url === null ? null : new URL(agent.webhook_url).host),
      timeFact('Registered', agent.created_at),
      timeFact('Email confirmed', agent.email_verified_at),
      timeFact('Ends', agent.expires_at),
    ],
    timeline: inOrder([
      ...moment(agent.created_at, 'Registered'),
      ...moment(agent.email_verified_at, 'Email confirmed'),
      ...parts.deposits.flatMap(({ id: deposit, status, created_at, succeeded_at }) => [
        ...moment(created_at, `Deposit begun (${status})`, { id: deposit }),
        ...moment(succeeded_at, 'Deposit arrived', { id: deposit }),
      ]),
      ...parts.disputes.flatMap(({ id: dispute, created_at, resolved_at, status }) => [
        ...moment(created_at, 'Disputed a task', { id: dispute }),
        ...moment(resolved_at, `Dispute ${status}`, { id: dispute }),
      ]),
      ...parts.chargebacks.flatMap(({ id: chargeback, status, created_at }) =>
        moment(created_at, `Payment charged back (${status})`, { id: chargeback }),
      ),
    ]),
    money: await ledgerLines([reader], [onStatementOfAgent(id)]),
    access: [
      ...parts.keys.map((key) => ({
        kind: 'key' as const,
        id: key.id,
        name: `${key.name} (${key.prefix}…)`,
        created_at: key.created_at.toISOString(),
        last_used_at: key.last_used_at?.toISOString() ?? null,
        ended_at: key.expires_at?.toISOString() ?? null,
      })),
      ...(await consoleSessions(shards.global.reader, id, now)),
    ],
    linked: await linkedToAgent(shards, agent),
    related: [
      ...related('agent', agent.twin_id, agent.mode === 'live' ? 'Test twin' : 'Live twin'),
      ...parts.lanes.flatMap(({ id: lane, failing_since, disabled_at }) =>
        related(
          'receiver',
          `receiver_${lane}`,
          `Receiver${disabled_at ? ', disabled' : failing_since ? ', failing' : ''}`,
        ),
      ),
      ...parts.deposits.flatMap(({ id: deposit, status }) =>
        related('deposit', deposit, `Deposit, ${status}`),
      ),
      ...parts.refunds.flatMap(({ id: refund, status }) =>
        related('refund', refund, `Refund, ${status}`),
      ),
      ...parts.chargebacks.flatMap(({ id: chargeback, status }) =>
        related('chargeback', chargeback, `Chargeback, ${status}`),
      ),
      ...parts.questions.flatMap(({ id: question, subject, status }) =>
        related('question', question, `Question about ${subject}, ${status}`),
      ),
      ...parts.tasks.flatMap(({ id: task, status }) => related('task', task, `Task, ${status}`)),
    ],
  }
}

/** The figures are of the agent's last 100 verdicts. */
function verdictFacts(counts: VerdictCounts | undefined): Fact[] {
  if (counts === undefined || counts.judged === 0) return [textFact('Verdicts', 'none yet')]
  const { judged, disputes, overturned } = counts
  return [
    textFact('Verdicts, of the last 100', judged),
    textFact('Disputed', `${disputes}, ${Math.round((100 * disputes) / judged)}%`),
    textFact('Disputes overturned', overturned),
  ]
}

async function consoleSessions(
  global: Reader,
  agentId: string,
  now: Date,
): Promise<ObjectPage['access']> {
  const sessions = await global
    .selectFrom('console_sessions')
    .select(['token_hash', 'created_at', 'last_used_at', 'expires_at'])
    .where('agent_id', '=', agentId)
    .orderBy('created_at', 'desc')
    .limit(SHOWN_MAX)
    .execute()
  return sessions.map(({ token_hash, created_at, last_used_at, expires_at }) => ({
    kind: 'session',
    // Enough to tell sessions apart.
    id: token_hash.slice(0, 12),
    name: 'Console',
    created_at: created_at.toISOString(),
    last_used_at: last_used_at.toISOString(),
    ended_at: expires_at <= now ? expires_at.toISOString() : null,
  }))
}

async function readParts(db: Reader, agentId: string) {
  const [ledger, keys, deposits, refunds, chargebacks, disputes, tasks, lanes, questions] =
    await Promise.all([
      db
        .selectFrom('ledger_agents')
        .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
        .where('agent_id', '=', agentId)
        .executeTakeFirst(),
      db
        .selectFrom('api_keys')
        .select(['id', 'name', 'prefix', 'created_at', 'last_used_at', 'expires_at'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('deposits')
        .select(['id', 'status', 'created_at', 'succeeded_at'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('refunds')
        .select(['id', 'status'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('chargebacks')
        .select(['id', 'status', 'created_at'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('disputes')
        .select(['id', 'status', 'created_at', 'resolved_at'])
        .where('agent_id', '=', agentId)
        .orderBy('created_at', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('tasks')
        .select(['id', 'status'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('webhook_lanes')
        .select(['id', 'failing_since', 'disabled_at'])
        // The lane of its webhook_url has the agent's id, those of callback hosts begin with it.
        .where('id', '>=', agentId)
        .where('id', '<', `${agentId}~`)
        .limit(SHOWN_MAX)
        .execute(),
      db
        .selectFrom('questions')
        .select(['id', 'subject', 'status'])
        .where('agent_id', '=', agentId)
        .orderBy('id', 'desc')
        .limit(SHOWN_MAX)
        .execute(),
    ])
  return { ledger, keys, deposits, refunds, chargebacks, disputes, tasks, lanes, questions }
}
