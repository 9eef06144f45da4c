/**
 * List the agent's requests that were rejected or failed, newest first.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'

const KEPT_DAYS = 7

export const RequestView = named(
  'LoggedRequest',
  z.object({
    id: z.string().describe('The `request_id` of the error'),
    at: z.iso.datetime(),
    method: z.string(),
    path: z.string().describe('Includes the query; secrets are removed'),
    status: z.int(),
    code: z.string(),
    ms: z.int(),
    key_id: z.string(),
  }),
)

const Query = z.object({
  status: z.coerce
    .number({ error: 'must be a number' })
    .int()
    .min(400)
    .max(599)
    .optional()
    .describe('Only requests with this response status'),
  limit: Limit.describe('1 to 100; larger values are treated as 100'),
  offset: z.coerce.number({ error: 'must be a number' }).int().min(0).max(10_000).default(0),
})

export const listRequests = endpoint({
  method: 'GET',
  path: '/requests',
  name: 'listRequests',
  auth: 'agent',
  scope: 'read',
  right: 'integration',
  summary: 'List your refused and failed requests',
  description:
    'Shows the last seven days, in the mode of your key. Requests that were not authenticated ' +
    '(401), were rate limited (429) or did not match an endpoint are not included; if there ' +
    'are very many in a minute, only the first are kept. New entries appear within a second.',
  query: Query,
  success: {
    status: 200,
    body: z.object({
      requests: z.array(RequestView),
      total: z.int(),
      limit: z.int(),
      offset: z.int(),
    }),
  },
  errors: [],

  handler: ({ db, agent, query, now }) => requestsOf(db, agent, { ...query, now }),
})

async function requestsOf(
  db: Reader,
  agent: AgentCaller,
  { status, limit, offset, now }: z.output<typeof Query> & { now: Date },
) {
  let mine = keptRequests(db, agent, now)
  if (status !== undefined) mine = mine.where('status', '=', status)
  const { total } = await mine
    .select((select) => select.fn.countAll<number>().as('total'))
    .executeTakeFirstOrThrow()
  const rows = await mine
    .select(['id', 'created_at', 'method', 'path', 'status', 'code', 'ms', 'key_id'])
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute()
  return { requests: rows.map(viewRequest), total, limit, offset }
}

/** The requests that the key can see: all of the agent's, or those made with one key and its descendants. */
export function keptRequests(db: Reader, { id, visibleKeyId }: AgentCaller, now: Date) {
  const kept = db
    .selectFrom('refused_requests')
    .where('refused_requests.agent_id', '=', id)
    .where('refused_requests.created_at', '>', new Date(now.getTime() - KEPT_DAYS * 86_400_000))
  if (visibleKeyId === null) return kept
  return kept.where('key_id', 'in', (keys) =>
    keys
      .selectFrom('api_keys')
      .select('api_keys.id')
      .where('api_keys.agent_id', '=', id)
      .where(
        sql<boolean>`(api_keys.id = ${visibleKeyId} or ${visibleKeyId} = any(api_keys.ancestors))`,
      ),
  )
}

export function viewRequest({
  created_at,
  ...row
}: Omit<z.output<typeof RequestView>, 'at'> & { created_at: Date }): z.output<typeof RequestView> {
  return { ...row, at: created_at.toISOString() }
}
