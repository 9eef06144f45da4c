/**
 * The tiers of agents: what we know about who pays. A tier changes how much may be open at once, never which endpoints
 * or values can be used. create_tasks enforces the caps (server/functions/agents_room.sql).
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Config } from '../config.ts'
import type { Reader } from '../kit/db.ts'
import type { ApiError } from '../kit/errors.ts'
import { named } from '../kit/named.ts'
import { tierCap } from './errors.ts'
import { type Tier, TIERS } from './tier-names.ts'

type Caps = Pick<
  Config,
  | 'AGENT_CAPS'
  | 'UNVERIFIED_OPEN_TASKS'
  | 'UNVERIFIED_OPEN_CENTS'
  | 'VERIFIED_OPEN_TASKS'
  | 'VERIFIED_OPEN_CENTS'
  | 'PAID_OPEN_TASKS'
  | 'PAID_OPEN_CENTS'
>

export const TierView = named(
  'AgentTier',
  z.object({
    name: z.enum(TIERS),
    open_tasks_max: z.int().nullable().describe('Tasks that may be open at once; null: no limit'),
    open_cents_max: z.int().nullable().describe('Their budgets in cents, without free tasks'),
    next_step: z.string().nullable().describe('What raises your tier; null: it is the highest'),
  }),
)
export type TierView = z.output<typeof TierView>

const NEXT_STEPS: Record<Tier, string | null> = {
  unverified:
    'Confirm your email with the link that we sent you; POST /agents/verify/resend sends another one',
  verified: 'Pay a deposit by card: POST /wallet/deposit',
  paid: 'Ask a person to identify you: POST /agents/questions',
  identified: null,
}

/** Two numbers for each tier but the last, as agents_room reads them; none if caps are off. */
export const capsOf = (config: Caps): number[] =>
  config.AGENT_CAPS === 'off'
    ? []
    : [
        config.UNVERIFIED_OPEN_TASKS,
        config.UNVERIFIED_OPEN_CENTS,
        config.VERIFIED_OPEN_TASKS,
        config.VERIFIED_OPEN_CENTS,
        config.PAID_OPEN_TASKS,
        config.PAID_OPEN_CENTS,
      ]

/** The tier of an agent, as agents_room decides it. Nothing limits an agent in test mode. */
export async function tierOf(db: Reader, agentId: string, config: Caps): Promise<TierView> {
  const { rows } = await sql<{
    mode: string
    identified: boolean
    verified: boolean
    paid: boolean
  }>`
    select g.mode, g.identified_at is not null as identified, g.email_verified_at is not null as verified,
           exists (select 1 from deposits d
                    where d.agent_id = g.id and d.succeeded_at is not null
                      and d.status in ('succeeded', 'partially_refunded', 'dispute_won')) as paid
      from agents g where g.id = ${agentId}`.execute(db)
  const agent = rows[0]!
  const name = nameOf(agent)
  const caps = agent.mode === 'test' ? [] : capsOf(config)
  const at = 2 * TIERS.indexOf(name)
  return {
    name,
    open_tasks_max: caps[at] || null,
    open_cents_max: caps[at + 1] || null,
    next_step: NEXT_STEPS[name],
  }
}

function nameOf({
  identified,
  verified,
  paid,
}: Record<'identified' | 'verified' | 'paid', boolean>) {
  if (identified) return 'identified'
  if (!verified) return 'unverified'
  return paid ? 'paid' : 'verified'
}

/** The error for an agent to which create_tasks answered `tier_cap`. */
export async function tierRefusal(db: Reader, agentId: string, config: Caps): Promise<ApiError> {
  const tier = await tierOf(db, agentId, config)
  const { tasks, cents } = await openOf(db, agentId)
  const isFull = tier.open_tasks_max !== null && tasks >= tier.open_tasks_max
  return tierCap({
    tier: tier.name,
    ...(isFull
      ? { cap: 'open_tasks' as const, limit: tier.open_tasks_max!, open: tasks }
      : { cap: 'open_cents' as const, limit: tier.open_cents_max ?? 0, open: cents }),
    next_step: tier.next_step,
  })
}

async function openOf(db: Reader, agentId: string): Promise<{ tasks: number; cents: number }> {
  const { rows } = await sql<{ tasks: number; cents: number }>`
    select count(*) as tasks, coalesce(sum(escrow_cents) filter (where funding = 'wallet'), 0)::bigint as cents
      from tasks where agent_id = ${agentId} and ended_at is null`.execute(db)
  return rows[0]!
}
