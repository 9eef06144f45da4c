import { z } from 'zod'
import { type Selectable, sql } from 'kysely'
import type { Reader } from '../kit/db.ts'
import { idPattern, siblingId } from '../kit/ids.ts'
import { named } from '../kit/named.ts'
import type { Schema } from '../kit/schema.ts'
import { type Kind, taskKeys } from './movements.ts'

export const TRANSACTION_TYPES = [
  'deposit',
  'escrow_lock',
  'escrow_release',
  'escrow_refund',
  'free_task_credit',
  'free_task_return',
  'refund',
  'chargeback',
  'chargeback_reversal',
  'appeal_debit',
  'tip',
  'adjustment',
] as const
export type TransactionType = (typeof TRANSACTION_TYPES)[number]

/** A line of an agent's statement. */
export const Transaction = named(
  'Transaction',
  z.object({
    id: z.string(),
    type: z.enum(TRANSACTION_TYPES),
    amount_cents: z
      .int()
      .describe(
        'The change of the balance; for deposits that are not posted, the amount; negative for debits',
      ),
    balance_after_cents: z.int(),
    task_id: z.string().nullable(),
    status: z
      .enum(['posted', 'pending', 'failed', 'expired'])
      .describe(
        'Only posted transactions have changed the balance; the others are deposits that have ' +
          'not arrived',
      ),
    created_at: z.iso.datetime(),
    description: z.string(),
  }),
)
export type Transaction = z.output<typeof Transaction>

/** The type and description of each movement on the statement. */
const SHOWN: Partial<Record<Kind, [type: TransactionType, words: string]>> = {
  deposit: ['deposit', 'Deposit'],
  suspense_to_agent: ['deposit', 'Deposit, matched by an operator'],
  escrow_lock: ['escrow_lock', 'Budget held for a task'],
  escrow_release: ['escrow_refund', 'Unused part of a budget returned'],
  escrow_refund: ['escrow_refund', 'Budget of a task returned'],
  cancel_compensation: ['escrow_refund', 'Rest of a budget returned'],
  refund_requested: ['refund', 'Refund of a deposit'],
  refund_rejected: ['refund', 'Refund rejected; the money is back in the wallet'],
  refund_failed: ['refund', 'Refund failed; the money is back in the wallet'],
  refund_outside: ['refund', 'Refund of a deposit'],
  chargeback: ['chargeback', 'Payment charged back by the bank'],
  chargeback_reversal: ['chargeback_reversal', 'Chargeback decided in your favor'],
  appeal_debit: ['appeal_debit', 'A dispute was withdrawn or overturned: the worker is paid'],
  tip: ['tip', 'Tip for the workers of a task'],
  bad_debt: ['adjustment', 'Debt written off'],
  payout_reversed: ['adjustment', 'Payment returned after fraud'],
}

type Line = Pick<
  Selectable<Schema['transfers']>,
  | 'id'
  | 'kind'
  | 'credit'
  | 'amount_cents'
  | 'agent_balance_cents'
  | 'task_id'
  | 'ref_id'
  | 'created_at'
>

/** Ledger lines as the agent sees them, in the given order. */
export function viewLines(lines: Line[], order: 'newest' | 'oldest'): Transaction[] {
  return lines.flatMap((line) => {
    const rows = viewLine(line)
    return order === 'newest' ? rows.reverse() : rows
  })
}

/** Returns one row, or two for a free task: the credit and its use. */
function viewLine(line: Line): Transaction[] {
  const balance = line.agent_balance_cents ?? 0
  const row = (
    id: string,
    type: TransactionType,
    amount: number,
    after: number,
    description: string,
  ) => ({
    id,
    type,
    amount_cents: amount,
    balance_after_cents: after,
    task_id: line.task_id,
    status: 'posted' as const,
    created_at: line.created_at.toISOString(),
    description,
  })
  const { amount_cents: cents } = line
  if (line.kind === 'free_task_lock')
    return [
      row(siblingId(line.id), 'free_task_credit', cents, balance + cents, 'Free task'),
      row(line.id, 'escrow_lock', -cents, balance, 'Budget held for a free task'),
    ]
  // Money that returns to the promotional fund, fully or partly, was never the agent's.
  if (line.credit === 'exp:promo')
    return [
      row(
        siblingId(line.id),
        'escrow_refund',
        cents,
        balance + cents,
        'Budget of a free task returned',
      ),
      row(line.id, 'free_task_return', -cents, balance, 'Free task returned'),
    ]
  const [type, words] = SHOWN[line.kind as Kind] ?? ['adjustment', 'Adjustment']
  const isCredit = line.credit === 'liab:agent_wallet' || line.credit === 'asset:agent_receivable'
  return [row(shownId(line), type, isCredit ? cents : -cents, balance, words)]
}

const DEPOSIT_ID = idPattern('txn')

/**
 * A deposit is shown under the id that the agent was given. If it repaid a debt, its second line gets the sibling id.
 */
function shownId({ id, kind, ref_id: depositId }: Line): string {
  if (kind !== 'deposit' || depositId === null || !DEPOSIT_ID.test(depositId)) return id
  const isSecond = siblingId(id) < id
  return isSecond ? siblingId(depositId) : depositId
}

const COLUMNS = [
  'id',
  'kind',
  'credit',
  'amount_cents',
  'agent_statement_no',
  'agent_balance_cents',
  'task_id',
  'ref_id',
  'created_at',
] as const

interface Seen {
  /** Only lines of tasks created by this key or keys below it; null means all. */
  visibleKeyId?: string | null
}

const isSeenBy = (visibleKeyId: string | null) =>
  visibleKeyId === null
    ? sql<boolean>`true`
    : sql<boolean>`exists (
        select from tasks t where t.id = transfers.task_id and t.key_path @> array[${visibleKeyId}])`

/** The newest lines of an agent's statement, or those before `before`. */
export const statementLines = (
  db: Reader,
  agentId: string,
  { limit, before, visibleKeyId = null }: { limit: number; before?: number | undefined } & Seen,
) => {
  const lines = db
    .selectFrom('transfers')
    .select(COLUMNS)
    .where('agent_id', '=', agentId)
    .where('agent_statement_no', 'is not', null)
    .where(isSeenBy(visibleKeyId))
    .orderBy('agent_statement_no', 'desc')
    .limit(limit)
  return (before === undefined ? lines : lines.where('agent_statement_no', '<', before)).execute()
}

/** A task's effect on its agent's wallet, oldest first. */
export async function taskTransactions(
  db: Reader,
  { taskId, agentId }: { taskId: string; agentId: string },
): Promise<Transaction[]> {
  const keys = taskKeys(taskId)
  const lines = await db
    .selectFrom('transfers')
    .select(COLUMNS)
    .where('key', '>=', keys.from)
    .where('key', '<', keys.before)
    .where('agent_id', '=', agentId)
    .where('agent_statement_no', 'is not', null)
    .orderBy('agent_statement_no')
    .execute()
  return viewLines(lines, 'oldest')
}

export interface SummaryRow {
  type: TransactionType
  total_cents: number
  count: number
}

interface Group {
  kind: string
  credit: string
  cents: number
  count: number
}

/** The audit keeps the totals up to the line that it has proven: only newer lines are counted here. */
export async function allGroups(db: Reader, agentId: string): Promise<Group[]> {
  const { rows } = await sql<Group>`
    select kind, credit, sum(cents)::bigint as cents, sum(lines)::bigint as count from (
      select t.kind, t.credit, t.cents, t.lines from ledger_totals t where t.agent_id = ${agentId}
       union all
      select f.kind, f.credit, f.amount_cents, 1 from transfers f
       where f.agent_id = ${agentId} and f.agent_statement_no > coalesce((
         select p.statement_no from ledger_proofs p where p.owner_id = ${agentId}), 0)) s
     group by kind, credit`.execute(db)
  return rows
}

/** Keys with limits see only the lines of their own tasks. */
function seenGroups(db: Reader, agentId: string, visibleKeyId: string): Promise<Group[]> {
  return db
    .selectFrom('transfers')
    .select((select) => [
      'kind',
      'credit',
      sql<number>`sum(amount_cents)::bigint`.as('cents'),
      select.fn.countAll<number>().as('count'),
    ])
    .where('agent_id', '=', agentId)
    .where('agent_statement_no', 'is not', null)
    .where(isSeenBy(visibleKeyId))
    .groupBy(['kind', 'credit'])
    .execute()
}

/** An agent's whole statement, summed by type. */
export async function summarise(
  db: Reader,
  agentId: string,
  { visibleKeyId = null }: Seen = {},
): Promise<SummaryRow[]> {
  const groups =
    visibleKeyId === null
      ? await allGroups(db, agentId)
      : await seenGroups(db, agentId, visibleKeyId)

  const byType = new Map<TransactionType, SummaryRow>()
  for (const { kind, credit, cents, count } of groups) {
    const line = {
      id: '0',
      kind,
      credit,
      amount_cents: cents,
      agent_balance_cents: 0,
      task_id: null,
      ref_id: null,
      created_at: new Date(0),
    }
    for (const { type, amount_cents } of viewLine(line)) {
      const row = byType.get(type) ?? { type, total_cents: 0, count: 0 }
      byType.set(type, {
        type,
        total_cents: row.total_cents + amount_cents,
        count: row.count + count,
      })
    }
  }
  return [...byType.values()].sort(
    (a, b) => TRANSACTION_TYPES.indexOf(a.type) - TRANSACTION_TYPES.indexOf(b.type),
  )
}
