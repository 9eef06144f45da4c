/**
 * Show the agent and the calling key: balance, escrow and webhook settings.
 *
 *   called by   the agent, for the mode of its key
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { mintId } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import { USUAL_TYPES } from '../webhooks/record-event.ts'
import { invalidApiKey } from './errors.ts'
import { KeyView, validKeys, viewAsKey, viewKey } from './keys.ts'
import { tierOf, TierView } from './tiers.ts'

/** Upper bound on how long a task is open: 90 days to its deadline, plus the time to review its proof. */
const OPEN_MS_MAX = 130 * 86_400_000

export const get = endpoint({
  method: 'GET',
  path: '/agents/me',
  name: 'getAgent',
  auth: 'agent',
  scope: 'read',
  summary: 'Show your agent and your key',
  success: {
    status: 200,
    body: z.object({
      agent: named(
        'Agent',
        z.object({
          id: z.string(),
          name: z.string(),
          email: z.string().nullable(),
          email_verified_at: z.iso
            .datetime()
            .nullable()
            .describe('When the email was confirmed; null: not yet. Keys work without it'),
          mode: z.enum(['live', 'test']),
          webhook_url: z.string().nullable(),
          events: z.array(z.string()).describe('The events that we send'),
          balance_cents: z.int().describe('What you can spend; negative if you owe'),
          escrow_cents: z.int().describe('The part of your money that is held for your open tasks'),
          free_tasks_remaining: z.int(),
          low_balance_cents: z
            .int()
            .nullable()
            .describe('We email you when the balance falls below this; null: never'),
          status: z.enum(['active', 'restricted', 'closed']),
          tier: TierView,
          expires_at: z.iso
            .datetime()
            .nullable()
            .describe('When an unregistered test agent expires'),
          twin: z.object({ exists: z.boolean() }).describe('Your agent in the other mode'),
        }),
      ),
      key: KeyView,
    }),
  },
  errors: [],

  handler: async ({ db, config, agent, now }) => ({
    agent: await agentOf(db, agent, { config, now }),
    key: await keyOf(db, agent, now),
  }),
})

async function agentOf(
  db: Reader,
  { id, visibleKeyId }: AgentCaller,
  { config, now }: { config: Config; now: Date },
) {
  const agent = await db
    .selectFrom('agents as agent')
    .innerJoin('ledger_agents as wallet', 'wallet.agent_id', 'agent.id')
    .select(['agent.id', 'name', 'email', 'agent.mode', 'webhook_url', 'events'])
    .select(['low_balance_cents', 'status', 'expires_at', 'twin_id', 'email_verified_at'])
    .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
    .where('agent.id', '=', id)
    .executeTakeFirstOrThrow()
  const twin = await db
    .selectFrom('agents')
    .select('id')
    .where('id', '=', agent.twin_id)
    .executeTakeFirst()
  const { twin_id: _, wallet_cents, receivable_cents, ...shown } = agent
  return {
    ...shown,
    status: agent.status as 'active' | 'restricted' | 'closed',
    tier: await tierOf(db, id, config),
    events: agent.events.length === 0 ? [...USUAL_TYPES] : agent.events,
    balance_cents: wallet_cents - receivable_cents,
    escrow_cents: await escrowOf(db, { agentId: id, visibleKeyId, now }),
    email_verified_at: agent.email_verified_at?.toISOString() ?? null,
    expires_at: agent.expires_at?.toISOString() ?? null,
    twin: { exists: twin !== undefined },
  }
}

/** Sums the escrow of the tasks that the key can see. */
async function escrowOf(
  db: Reader,
  { agentId, visibleKeyId, now }: { agentId: string; visibleKeyId: string | null; now: Date },
): Promise<number> {
  const { escrow_cents } = await db
    .selectFrom('tasks')
    .select(sql<number>`coalesce(sum(escrow_cents), 0)::bigint`.as('escrow_cents'))
    .where('agent_id', '=', agentId)
    .where('id', '>', mintId('task', new Date(now.getTime() - OPEN_MS_MAX), 0))
    .where('status', 'in', ['pending', 'in_progress', 'proof_submitted'])
    .where('funding', '=', 'wallet')
    .$if(visibleKeyId !== null, (tasks) =>
      tasks.where(sql<boolean>`key_path @> array[${visibleKeyId}]`),
    )
    .executeTakeFirstOrThrow()
  return escrow_cents
}

/** For a person, what the role allows, as if it were a key. */
async function keyOf(db: Reader, { id, keyId, person, mode, scopes }: AgentCaller, now: Date) {
  if (person !== undefined) return viewAsKey({ ...person, mode, scopes }, now)
  const keys = await validKeys(db, id, now).execute()
  const key = keys.find((one) => one.id === keyId)
  if (key === undefined) throw invalidApiKey()
  return viewKey(key, keys, now)
}
