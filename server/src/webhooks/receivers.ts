import { type RawBuilder, sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { isLaneOf } from './lane-id.ts'

const RECEIVERS_MAX = 50
/** Counting stops here, because after a long outage a full count would be slow. */
const WAITING_MAX = 1000

/** An address that receives an agent's events, and its health. */
export const ReceiverView = named(
  'WebhookReceiver',
  z.object({
    url: z
      .string()
      .describe(
        'Your webhook_url, a host of your callback_urls, or a callback_url that responded with 410',
      ),
    status: z.enum(['ok', 'failing', 'disabled']),
    failing_since: z.iso.datetime().nullable().describe('Since when every delivery has failed'),
    disabled_at: z.iso.datetime().nullable(),
    disabled_for: z
      .enum(['gone', 'failing'])
      .nullable()
      .describe('gone: it responded with 410; failing: every delivery has failed for five days'),
    waiting: z.int().describe(`Number of waiting events; ${WAITING_MAX} means that many or more`),
    next_try_at: z.iso.datetime().nullable(),
  }),
)
export type ReceiverView = z.output<typeof ReceiverView>

interface ReceiverRow {
  url: string
  failing_since: Date | null
  disabled_at: Date | null
  disabled_for: 'gone' | 'failing' | null
  waiting: number
  next_try_at: Date | null
}

/** The webhook_url first, then at most fifty others, disabled and failing ones first. */
export async function receiversOf(db: Reader, agentId: string): Promise<ReceiverView[]> {
  const webhook = await webhookOf(db, agentId)
  const { rows } = await sql<ReceiverRow>`
    select * from (
      select split_part(id, ' ', 2) as url, failing_since, disabled_at, disabled_for,
             ${waitingFor(sql`l.id`)} as waiting, due_at as next_try_at
        from webhook_lanes l where ${isLaneOf(agentId)} and id <> ${agentId}
       order by disabled_at desc nulls last, failing_since desc nulls last, due_at nulls last
       limit ${RECEIVERS_MAX}) hosts
    union all
    select * from (
      select url, null::timestamptz, gone_at, 'gone', 0, null::timestamptz
        from gone_callbacks where agent_id = ${agentId} order by gone_at desc limit ${RECEIVERS_MAX}) gone
    order by disabled_at desc nulls last, failing_since desc nulls last
    limit ${RECEIVERS_MAX}`.execute(db)
  return [...(webhook === null ? [] : [webhook]), ...rows.map(viewReceiver)]
}

/** The receiver at the agent's webhook_url, if it has one. */
export async function webhookOf(db: Reader, agentId: string): Promise<ReceiverView | null> {
  const { rows } = await sql<ReceiverRow>`
    select a.webhook_url as url, failing_since, disabled_at, disabled_for,
           ${waitingFor(sql`a.id`)} as waiting, due_at as next_try_at
      from agents a left join webhook_lanes l on l.id = a.id
     where a.id = ${agentId} and a.webhook_url is not null`.execute(db)
  return rows[0] === undefined ? null : viewReceiver(rows[0])
}

/** SQL expression for the number of events waiting in a lane, counted up to `max`. */
export const waitingFor = (lane: RawBuilder<unknown>, max = WAITING_MAX) => sql<number>`(
  select count(*)::integer from (select from deliveries d where d.lane = ${lane} limit ${max}) w)`

function viewReceiver(row: ReceiverRow): ReceiverView {
  const { url, failing_since, disabled_at, disabled_for, waiting, next_try_at } = row
  return {
    url,
    status: disabled_at !== null ? 'disabled' : failing_since !== null ? 'failing' : 'ok',
    failing_since: failing_since?.toISOString() ?? null,
    disabled_at: disabled_at?.toISOString() ?? null,
    disabled_for,
    waiting,
    next_try_at: waiting === 0 ? null : (next_try_at?.toISOString() ?? null),
  }
}
