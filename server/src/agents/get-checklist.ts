/**
 * Show the go-live checklist: what the agent has tried out in test mode, and what is set up.
 *
 *   called by   the agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import { isLaneOf } from '../webhooks/lane-id.ts'
import { capsOf, hasCap, validKeys } from './keys.ts'

const ITEMS = ['funds', 'webhook', 'signature', 'cap', 'dispute'] as const
/** How many of the newest delivery attempts are searched for a successful one. */
const ATTEMPTS_LOOKED_AT = 200

export const getChecklist = endpoint({
  method: 'GET',
  path: '/agents/me/checklist',
  name: 'getChecklist',
  auth: 'agent',
  scope: 'read',
  summary: 'Show what is left to do before you go live',
  description:
    'Steps done in either mode count. `can_go_live` does not require funds, since adding them ' +
    'needs a live key, or webhooks if you have no webhook URL.',
  success: {
    status: 200,
    body: z.object({
      items: z.array(
        named(
          'ChecklistItem',
          z.object({
            id: z.enum(ITEMS),
            is_done: z.boolean(),
            says: z.string().describe('The result, or what to do'),
          }),
        ),
      ),
      can_go_live: z.boolean(),
    }),
  },
  errors: [],

  handler: ({ db, agent, now }) => checklistOf(db, agent.id, now),
})

async function checklistOf(db: Reader, agentId: string, now: Date) {
  const twins = await db
    .selectFrom('agents')
    .select(['id', 'mode', 'webhook_url'])
    .where((where) => where.or([where('id', '=', agentId), where('twin_id', '=', agentId)]))
    .execute()
  const ids = twins.map(({ id }) => id)
  const live = twins.find(({ mode }) => mode === 'live')
  const hasAddress = twins.some(({ webhook_url }) => webhook_url !== null)

  const done = {
    funds: live !== undefined && (await hasFunds(db, live.id)),
    webhook: await someOf(ids, (id) => hasAnswered(db, id)),
    signature: await someOf(ids, (id) => checksSignatures(db, id)),
    cap: await hasCappedKey(db, ids, now),
    dispute: await hasDisputed(db, ids),
  }
  const says: Record<(typeof ITEMS)[number], [yes: string, no: string]> = {
    funds: [
      'Your live wallet has money.',
      live === undefined
        ? 'Go live first; then add money with POST /wallet/deposit.'
        : 'Add money with POST /wallet/deposit and your live key.',
    ],
    webhook: [
      'Your receiver has responded with 2xx.',
      hasAddress
        ? 'Your receiver has not responded with 2xx yet. Test it with POST /webhooks/ping.'
        : 'You have no webhook_url. Set one with PATCH /agents/me, or read GET /events.',
    ],
    signature: [
      'Your receiver has rejected a wrong signature.',
      'Check that your receiver rejects a wrong signature: POST /webhooks/ping {"tampered": true}.',
    ],
    cap: [
      'One of your keys has a spending cap.',
      'Create a key with a spending cap for programs that run unattended: POST /agents/keys ' +
        '{"day_max_cents": 2000}.',
    ],
    dispute: [
      'You have disputed a proof.',
      'Dispute a proof in test mode to see what happens: POST /tasks/:id/dispute.',
    ],
  }
  return {
    items: ITEMS.map((id) => ({ id, is_done: done[id], says: says[id][done[id] ? 0 : 1] })),
    can_go_live: done.cap && done.dispute && (!hasAddress || (done.webhook && done.signature)),
  }
}

async function someOf(ids: string[], holds: (id: string) => Promise<boolean>): Promise<boolean> {
  for (const id of ids) if (await holds(id)) return true
  return false
}

async function hasFunds(db: Reader, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('ledger_agents')
    .select('agent_id')
    .where('agent_id', '=', agentId)
    .where('wallet_cents', '>', 0)
    .executeTakeFirst()
  return row !== undefined
}

async function hasAnswered(db: Reader, agentId: string): Promise<boolean> {
  const newest = db
    .selectFrom('delivery_attempts')
    .select('outcome')
    .where('agent_id', '=', agentId)
    .orderBy('id', 'desc')
    .limit(ATTEMPTS_LOOKED_AT)
    .as('newest')
  const row = await db
    .selectFrom(newest)
    .select('outcome')
    .where('outcome', '=', 'delivered')
    .executeTakeFirst()
  return row !== undefined
}

async function checksSignatures(db: Reader, agentId: string): Promise<boolean> {
  const row = await db
    .selectFrom('webhook_lanes')
    .select('id')
    .where(isLaneOf(agentId))
    .where('signature_checked_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

async function hasDisputed(db: Reader, ids: string[]): Promise<boolean> {
  const row = await db
    .selectFrom('disputes')
    .select('id')
    .where('agent_id', '=', sql<string>`any(${ids})`)
    .executeTakeFirst()
  return row !== undefined
}

async function hasCappedKey(db: Reader, ids: string[], now: Date): Promise<boolean> {
  for (const id of ids) {
    const keys = await validKeys(db, id, now).execute()
    if (keys.some((key) => hasCap(capsOf(key)))) return true
  }
  return false
}
