/**
 * Show the agent's wallet: its balance, the newest transactions, and all of them added up by type.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { formatCents } from '../kit/money.ts'
import { Limit } from '../kit/page.ts'
import {
  statementLines,
  summarise,
  Transaction,
  TRANSACTION_TYPES,
  viewLines,
} from '../ledger/statement.ts'

export const get = endpoint({
  method: 'GET',
  path: '/wallet',
  auth: 'agent',
  summary: 'Show your wallet',
  query: z.object({
    limit: Limit.describe('How many movements, 1 to 100; more is taken as 100'),
    cursor: z.coerce
      .number({ error: 'is not the next_cursor of a page' })
      .int()
      .min(1)
      .optional()
      .describe('next_cursor of the page before'),
  }),
  success: {
    status: 200,
    body: z.object({
      balance_cents: z.int().describe('What you can spend; negative if you owe'),
      balance_formatted: z.string(),
      free_tasks_remaining: z.int(),
      transactions: z.array(Transaction),
      summary: z.array(
        z.object({ type: z.enum(TRANSACTION_TYPES), total_cents: z.int(), count: z.int() }),
      ),
      next_cursor: z.string().nullable(),
    }),
  },
  errors: [],

  // Three reads of one moment: a creation between them would show a balance that its lines do not explain.
  handler: ({ db, agent, query }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => walletOf(tx, agent.id, query)),
})

async function walletOf(
  db: Reader,
  agentId: string,
  query: { limit: number; cursor?: number | undefined },
) {
  const { wallet_cents, receivable_cents, free_tasks_remaining } = await db
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  const lines = await statementLines(db, agentId, {
    limit: query.limit + 1,
    before: query.cursor,
  })
  const page = lines.slice(0, query.limit)
  const balance_cents = wallet_cents - receivable_cents
  return {
    balance_cents,
    balance_formatted: formatCents(balance_cents),
    free_tasks_remaining,
    transactions: viewLines(page, 'newest'),
    summary: await summarise(db, agentId),
    next_cursor: lines.length > query.limit ? String(page.at(-1)!.agent_statement_no) : null,
  }
}
