/** The webhook report for an on-call operator: what is waiting, which receivers fail, and why. */
import { sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import {
  addUp,
  earliest,
  type Everywhere,
  mergeSorted,
  orderBy,
  placesOf,
  readShards,
} from '../kit/everywhere.ts'
import { hostIn } from '../webhooks/lane-id.ts'
import { command } from './command.ts'

/** Normally a due lane is taken within a second. */
const LATE_MS = 60_000
const RECEIVERS_MAX = 20

export interface FailingReceiver {
  agent_id: string
  name: string
  email: string
  host: string | null
  failing_since: Date | null
  failures: number
  disabled_at: Date | null
  disabled_for: 'gone' | 'failing' | null
  waiting: number
  oldest_at: Date | null
  next_try_at: Date | null
  last_status: number | null
  last_error: string | null
}

export interface WebhookReport {
  at: Date
  /** All deliveries that have neither arrived nor been given up. */
  waiting: number
  receivers_waiting: number
  oldest_at: Date | null
  /** Since when the first due receiver has been due: this is our own delay. */
  due_since: Date | null
  /** Events that the relay has not taken yet. */
  in_outbox: number
  outbox_oldest_at: Date | null
  failing: number
  disabled: number
  /** How many receivers an operator has paused although they do not fail. */
  paused: number
  /** Receivers that fail, are disabled or paused, most waiting deliveries first; at most one screen. */
  receivers: FailingReceiver[]
  /** The reasons why someone has to act; empty if there are none. */
  needs: string[]
}

export const webhooks = command({
  name: 'webhooks',
  takes: '[--json]',
  does: 'list failing receivers and waiting deliveries; exit 1 if an operator needs to act',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const data = await reportWebhooks(
      { shards: db.shards.readers, global: db.shards.global.reader },
      { now: clock.now() },
    )
    return { data, isBad: data.needs.length > 0 }
  },
})

const COUNTS = ['waiting', 'receivers_waiting', 'failing', 'disabled', 'paused'] as const
const TIMES = ['oldest_at', 'due_since'] as const
type WebhookSums = Record<(typeof COUNTS)[number], number> &
  Record<(typeof TIMES)[number], Date | null>
type OutboxSums = Pick<WebhookReport, 'in_outbox' | 'outbox_oldest_at'>

export async function reportWebhooks(
  everywhere: Everywhere,
  { now }: { now: Date },
): Promise<WebhookReport> {
  const { shards } = everywhere
  const sums = {
    ...addSums(await readShards(shards, (shard) => sumsOfShard(shard, now))),
    ...addOutboxes(await readShards(placesOf(everywhere), sumsOfOutbox)),
  }
  const parts = await readShards(shards, (shard) => receiversOfShard(shard, now))
  const receivers = mergeSorted(MOST_WAITING_FIRST, parts, RECEIVERS_MAX)
  return {
    at: now,
    ...sums,
    receivers: receivers.map((lane) => {
      const { id: _, ...shown } = lane
      return shown
    }),
    needs: needsOf(sums, now),
  }
}

/** A receiver's lane is in the shard of its agent, so no receiver is counted twice. */
const addSums = (parts: readonly WebhookSums[]): WebhookSums => ({
  ...addUp(COUNTS, parts),
  ...(Object.fromEntries(
    TIMES.map((time) => [time, earliest(parts.map((part) => part[time]))]),
  ) as Record<(typeof TIMES)[number], Date | null>),
})

const addOutboxes = (parts: readonly OutboxSums[]): OutboxSums => ({
  ...addUp(['in_outbox'], parts),
  outbox_oldest_at: earliest(parts.map((part) => part.outbox_oldest_at)),
})

async function sumsOfOutbox(place: Reader): Promise<OutboxSums> {
  const { rows } = await sql<OutboxSums>`
    select count(*)::integer as in_outbox, min(created_at) as outbox_oldest_at from outbox`.execute(
    place,
  )
  return rows[0]!
}

async function sumsOfShard(shard: Reader, now: Date): Promise<WebhookSums> {
  const { rows } = await sql<WebhookSums>`
    select waiting, receivers_waiting, oldest_at, due_since, failing, disabled, paused
      from (select count(*)::integer as waiting, count(distinct lane)::integer as receivers_waiting,
                   min(event_at) as oldest_at from deliveries) d,
           (select min(due_at) filter (where due_at <= ${now}) as due_since,
                   count(*) filter (where failing_since is not null and disabled_at is null)::integer as failing,
                   count(disabled_at)::integer as disabled,
                   count(*) filter (where ${isPausedByHand(now)})::integer as paused from webhook_lanes l) l`.execute(
    shard,
  )
  return rows[0]!
}

const isPausedByHand = (now: Date) =>
  sql`(l.failing_since is null and l.disabled_at is null and l.paused_until > ${now})`

type Lane = FailingReceiver & { id: string }

const MOST_WAITING_FIRST = orderBy<Lane>(
  ({ waiting }) => -waiting,
  ({ disabled_at, failing_since }) => disabled_at ?? failing_since,
  ({ id }) => id,
)

async function receiversOfShard(shard: Reader, now: Date): Promise<Lane[]> {
  // Retries are never more than a day apart, so older attempts need not be searched for the last one.
  const { rows } = await sql<Lane>`
    select l.id, l.agent_id, a.name, a.email, h.host, l.failing_since, l.failures, l.disabled_at, l.disabled_for,
           coalesce(w.waiting, 0) as waiting, w.oldest_at,
           case when l.disabled_at is null then greatest(w.next_try_at, l.paused_until) end as next_try_at,
           t.status as last_status, t.error as last_error
      from webhook_lanes l
      join agents a on a.id = l.agent_id
      cross join lateral (
        select coalesce(nullif(split_part(l.id, ' ', 2), ''),
                        ${hostIn(sql`a.webhook_url`)}) as host) h
      left join (
        select lane, count(*)::integer as waiting, min(event_at) as oldest_at, min(next_try_at) as next_try_at
          from deliveries group by lane) w on w.lane = l.id
      left join lateral (
        select status, error from delivery_attempts
         where agent_id = l.agent_id and created_at > ${now}::timestamptz - interval '1 day'
           and outcome <> 'delivered' and ${hostIn(sql`url`)} = h.host
         order by id desc limit 1) t on true
     where l.failing_since is not null or l.disabled_at is not null or ${isPausedByHand(now)}
     order by waiting desc, coalesce(l.disabled_at, l.failing_since), l.id
     limit ${RECEIVERS_MAX}`.execute(shard)
  return rows
}

function needsOf(
  { due_since, outbox_oldest_at }: Pick<WebhookReport, 'due_since' | 'outbox_oldest_at'>,
  now: Date,
): string[] {
  const isLate = (since: Date | null) => since !== null && now.getTime() - since.getTime() > LATE_MS
  return [
    ...(isLate(outbox_oldest_at)
      ? ['events stay in the outbox: docs/runbooks/jobs-backlog.md']
      : []),
    ...(isLate(due_since) ? ['deliveries are late: docs/runbooks/webhooks-backlog.md'] : []),
  ]
}
