/**
 * Show the agent's wallet: its balance, the newest transactions, and totals by type.
 *
 *   called by   an agent
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { type AgentCaller, endpoint } from '../kit/endpoint.ts'
import { formatCents } from '../kit/money.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'
import {
  statementLines,
  summarise,
  Transaction,
  TRANSACTION_TYPES,
  viewLines,
} from '../ledger/statement.ts'
import { shownStatus } from './deposit-status.ts'
import type { Deposit } from './queries.ts'

const SHOW_ENDED_MS = 7 * 86_400_000

export const get = endpoint({
  method: 'GET',
  path: '/wallet',
  name: 'getWallet',
  auth: 'agent',
  scope: 'read',
  right: 'wallet',
  summary: 'Show your wallet',
  description:
    'A key that sees only its own tasks gets the balance that it may spend, and the ' +
    'transactions of these tasks.',
  query: z.object({
    limit: Limit.describe('Number of transactions, 1 to 100; larger values are treated as 100'),
    cursor: z.coerce
      .number({ error: 'must be the next_cursor of a page' })
      .int()
      .min(1)
      .optional()
      .describe('next_cursor of the previous page'),
  }),
  success: {
    status: 200,
    body: named(
      'Wallet',
      z.object({
        balance_cents: z.int().describe('What you can spend; negative if you owe'),
        balance_formatted: z.string(),
        free_tasks_remaining: z.int(),
        transactions: z.array(Transaction),
        summary: z.array(
          z.object({ type: z.enum(TRANSACTION_TYPES), total_cents: z.int(), count: z.int() }),
        ),
        next_cursor: z.string().nullable(),
      }),
    ),
  },
  errors: [],

  // Read all three from one snapshot: a task created in between would show a balance that the lines don't explain.
  handler: ({ db, agent, query, now }) =>
    db
      .transaction()
      .setIsolationLevel('repeatable read')
      .setAccessMode('read only')
      .execute((tx) => walletOf(tx, agent, { ...query, now })),
})

async function walletOf(
  db: Reader,
  { id: agentId, visibleKeyId }: AgentCaller,
  query: { limit: number; cursor?: number | undefined; now: Date },
) {
  const { wallet_cents, receivable_cents, free_tasks_remaining } = await db
    .selectFrom('ledger_agents')
    .select(['wallet_cents', 'receivable_cents', 'free_tasks_remaining'])
    .where('agent_id', '=', agentId)
    .executeTakeFirstOrThrow()
  const lines = await statementLines(db, agentId, {
    limit: query.limit + 1,
    before: query.cursor,
    visibleKeyId,
  })
  const page = lines.slice(0, query.limit)
  const balance_cents = wallet_cents - receivable_cents
  const posted = viewLines(page, 'newest')
  const hasDeposits = query.cursor === undefined && visibleKeyId === null
  const others = hasDeposits ? await unpostedDeposits(db, agentId, query, balance_cents) : []
  return {
    balance_cents,
    balance_formatted: formatCents(balance_cents),
    free_tasks_remaining,
    transactions: merge(posted, others),
    summary: await summarise(db, agentId, { visibleKeyId }),
    next_cursor: lines.length > query.limit ? String(page.at(-1)!.agent_statement_no) : null,
  }
}

/** Deposits without posted money: those in progress, and those of the last week that failed. */
async function unpostedDeposits(
  db: Reader,
  agentId: string,
  { limit, now }: { limit: number; now: Date },
  balanceCents: number,
): Promise<Transaction[]> {
  const deposits = await db
    .selectFrom('deposits')
    .select(['id', 'status', 'amount_cents', 'decided_at', 'created_at'])
    .where('agent_id', '=', agentId)
    .where((deposit) =>
      deposit.or([
        deposit('status', 'in', ['creating', 'open', 'processing']),
        deposit.and([deposit('status', '=', 'mismatched'), deposit('decided_at', 'is', null)]),
        deposit.and([
          deposit('status', 'in', ['failed', 'expired', 'mismatched']),
          deposit('created_at', '>', new Date(now.getTime() - SHOW_ENDED_MS)),
        ]),
      ]),
    )
    .orderBy('id', 'desc')
    .limit(limit)
    .execute()
  return deposits.map(({ id, status, amount_cents, decided_at, created_at }) => ({
    id,
    type: 'deposit',
    amount_cents,
    balance_after_cents: balanceCents,
    task_id: null,
    status: shownStatus(status, { isDecided: decided_at !== null }),
    created_at: created_at.toISOString(),
    description: decided_at === null ? (WORDS[status] ?? 'Deposit') : DECIDED,
  }))
}

const DECIDED = 'Deposit; a different amount was paid, and support has decided what happens to it'

const WORDS: Partial<Record<Deposit['status'], string>> = {
  creating: 'Deposit, not paid yet',
  open: 'Deposit, not paid yet',
  processing: 'Deposit, being confirmed by the bank',
  mismatched: 'Deposit; a different amount was paid, and support is reviewing it',
  failed: 'Deposit; the payment failed, and nothing was charged',
  expired: 'Deposit; nobody paid in time',
}

/** Merges two lists sorted newest first; the result is sorted the same way. */
function merge(posted: Transaction[], others: Transaction[]): Transaction[] {
  const rest = [...others]
  const merged = posted.flatMap((transaction) => {
    const newer = rest.filter(({ created_at }) => created_at > transaction.created_at)
    rest.splice(0, newer.length)
    return [...newer, transaction]
  })
  return [...merged, ...rest]
}
