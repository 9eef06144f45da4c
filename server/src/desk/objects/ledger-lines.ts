/** Ledger lines of an object, to the cent. */
import type { Expression, ExpressionBuilder, SqlBool } from 'kysely'
import type { Reader } from '../../kit/db.ts'
import { orderBy } from '../../kit/everywhere.ts'
import type { Schema } from '../../kit/schema.ts'
import type { ObjectPage } from '../views.ts'

type Where = (where: ExpressionBuilder<Schema, 'transfers'>) => Expression<SqlBool>

const LINES_MAX = 200

/**
 * Newest first: the lines that one of these conditions finds. A crossing has lines in the schemas of both sides, so an
 * object of an agent and a worker is read in both.
 */
export async function ledgerLines(
  readers: Iterable<Reader>,
  wheres: readonly Where[],
): Promise<ObjectPage['money']> {
  const parts = [...new Set(readers)].map(async (reader) => {
    const lines = await Promise.all(wheres.map((where) => linesIn(reader, where)))
    // A line that two conditions find is one line; the same key in another schema is another.
    return [...new Map(lines.flat().map((line) => [`${line.key} ${line.line}`, line])).values()]
  })
  const newestFirst = orderBy<Awaited<ReturnType<typeof linesIn>>[number]>(
    ({ created_at }) => -created_at.getTime(),
    ({ key }) => key,
    ({ line }) => line,
  )
  return (await Promise.all(parts))
    .flat()
    .sort(newestFirst)
    .slice(0, LINES_MAX)
    .map(({ created_at, kind, key, debit, credit, amount_cents }) => ({
      at: created_at.toISOString(),
      type: kind,
      key,
      from: debit,
      to: credit,
      amount_cents,
    }))
}

const linesIn = (reader: Reader, where: Where) =>
  reader
    .selectFrom('transfers')
    .select(['created_at', 'kind', 'key', 'line', 'debit', 'credit', 'amount_cents'])
    .where(where)
    .orderBy('created_at', 'desc')
    .limit(LINES_MAX)
    .execute()

/** The movements whose keys begin so: those of a task, a payout, a deposit or a refund. */
export const keyedBy =
  (prefix: string): Where =>
  (where) =>
    where.and([where('key', '>=', `${prefix}:`), where('key', '<', `${prefix};`)])

/** The movements with one of these keys. */
export const keyed =
  (keys: readonly string[]): Where =>
  (where) =>
    keys.length === 0 ? where.lit(false) : where('key', 'in', keys)

/** The lines on an agent's statement; with `refId`, only those about one of its deposits or refunds. */
export const onStatementOfAgent =
  (agentId: string, refId?: string): Where =>
  (where) =>
    where.and([
      where('agent_id', '=', agentId),
      where('agent_statement_no', 'is not', null),
      ...(refId === undefined ? [] : [where('ref_id', '=', refId)]),
    ])

/** The lines on a worker's statement; with `refId`, only those about one payout. */
export const onStatementOfWorker =
  (workerId: string, refId?: string): Where =>
  (where) =>
    where.and([
      where('worker_id', '=', workerId),
      where('worker_statement_no', 'is not', null),
      ...(refId === undefined ? [] : [where('ref_id', '=', refId)]),
    ])
