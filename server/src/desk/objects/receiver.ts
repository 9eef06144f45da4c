import { sql } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import { waitingFor } from '../../webhooks/receivers.ts'
import {
  type Found,
  idFact,
  inOrder,
  moment,
  nextFact,
  related,
  type Sought,
  textFact,
  timeFact,
} from './object.ts'

/** Among the agent's last attempts; those at other receivers are left out. */
const ATTEMPTS_READ = 200
const ATTEMPTS_SHOWN = 30
const EVENTS_SHOWN = 10

/** An address that receives an agent's webhooks: `receiver_` and the id of its lane. */
export async function findReceiver({
  background: { db },
  id,
  now,
}: Sought): Promise<Found | undefined> {
  const laneId = id.replace(/^receiver_/, '')
  const { reader } = db.shards.at(laneId)
  const lane = await reader
    .selectFrom('webhook_lanes')
    .selectAll()
    .where('id', '=', laneId)
    .executeTakeFirst()
  if (lane === undefined) return undefined
  const { agent_id } = lane
  const agent = await reader
    .selectFrom('agents')
    .select(['name', 'mode', 'webhook_url'])
    .where('id', '=', agent_id)
    .executeTakeFirstOrThrow()
  const host = hostOf(laneId, agent.webhook_url)
  const attempts = await lastAttempts(reader, agent_id, host)
  const waiting = await waitingEvents(reader, laneId)
  const [status, next] = stateOf(lane, now)
  return {
    id,
    subjects: [laneId],
    kind: 'receiver',
    title: `${host ?? 'No address'} of ${agent.name}`,
    status,
    mode: agent.mode,
    facts: [
      nextFact(next),
      textFact('Address', host),
      textFact('Used as', laneId === agent_id ? 'the webhook_url' : 'a host of callback_urls'),
      textFact('Events that wait', waiting.count),
      textFact('Failures in a row', lane.failures),
      idFact('Agent', agent_id),
      timeFact('Failing since', lane.failing_since),
      timeFact('Paused until', lane.paused_until),
      timeFact('Next try', waiting.count === 0 ? null : lane.due_at),
      timeFact('Agent warned by email', lane.warned_at),
      timeFact('Disabled', lane.disabled_at),
    ],
    timeline: inOrder([
      ...moment(lane.failing_since, 'Every delivery has failed since'),
      ...moment(lane.warned_at, 'Agent warned by email'),
      ...moment(lane.disabled_at, `Disabled: ${lane.disabled_for}`),
      ...attempts.flatMap(
        ({ type, event_id, number, outcome, status: code, error, ms, created_at }) =>
          moment(
            created_at,
            `${type}, attempt ${number}: ${outcome.replaceAll('_', ' ')}, ${code ?? error ?? 'no response'}, ${ms} ms`,
            { id: `event_${event_id}` },
          ),
      ),
    ]),
    related: [
      ...related('agent', agent_id, 'Agent'),
      ...waiting.events.flatMap(({ event_id, attempts: tries }) =>
        related('event', `event_${event_id}`, `Event that waits, ${tries} attempts`),
      ),
    ],
  }
}

function hostOf(laneId: string, webhookUrl: string | null): string | null {
  const [, host] = laneId.split(' ')
  if (host !== undefined) return host
  return webhookUrl === null ? null : (URL.parse(webhookUrl)?.host ?? null)
}

interface Lane {
  failing_since: Date | null
  disabled_at: Date | null
  paused_until: Date | null
}

function stateOf(
  { failing_since, disabled_at, paused_until }: Lane,
  now: Date,
): [status: string, next: string | null] {
  if (disabled_at !== null)
    return ['disabled', 'Only its agent can enable it: with a ping, or a new address.']
  if (paused_until !== null && paused_until > now)
    return ['paused', 'Nothing is sent until the pause ends. Resume it once its owner is ready.']
  if (failing_since !== null)
    return [
      'failing',
      'Its owner must repair it: after 3 days the agent gets an email, after 5 it is disabled. Pause it if we harm it.',
    ]
  return ['ok', null]
}

const lastAttempts = async (reader: Reader, agentId: string, host: string | null) => {
  const rows = await reader
    .selectFrom('delivery_attempts')
    .select(['event_id', 'type', 'url', 'number', 'outcome', 'status', 'error', 'ms', 'created_at'])
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(ATTEMPTS_READ)
    .execute()
  return rows.filter(({ url }) => URL.parse(url)?.host === host).slice(0, ATTEMPTS_SHOWN)
}

async function waitingEvents(reader: Reader, laneId: string) {
  const { rows } = await sql<{ count: number }>`
    select ${waitingFor(sql`${laneId}`)} as count`.execute(reader)
  const events = await reader
    .selectFrom('deliveries')
    .select(['event_id', 'attempts'])
    .where('lane', '=', laneId)
    .orderBy('next_try_at')
    .limit(EVENTS_SHOWN)
    .execute()
  return { count: rows[0]!.count, events }
}
