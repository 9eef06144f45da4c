/**
 * Read the audit log, newest first.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'
import { Limit } from '../kit/page.ts'

const AuditRowView = named(
  'AuditRow',
  z.object({
    seq: z.int(),
    at: z.string(),
    operator: z.object({ id: z.string(), name: z.string().nullable() }),
    role: z.string(),
    action: z.string(),
    subject: z.string(),
    detail: z.record(z.string(), z.unknown()),
    words: z.string().nullable(),
    are_words_erased: z.boolean(),
    hash: z.string(),
  }),
)

export interface AuditFilter {
  subject?: string | undefined
  operator?: string | undefined
  /** An action, or its beginning: `payout` finds `payout.release`. */
  action?: string | undefined
}

export const listAuditLog = deskOperation({
  method: 'GET',
  path: '/audit-log',
  name: 'listAuditLog',
  right: 'staff',
  summary: 'The audit log, newest first',
  query: z.object({
    subject: z.string().max(200).optional(),
    operator: z.string().max(200).optional(),
    action: z
      .string()
      .regex(/^[a-z_.]{1,60}$/, 'must be an action, such as payout.release')
      .optional(),
    cursor: z.coerce.number().int().min(1).optional(),
    limit: Limit,
  }),
  success: {
    status: 200,
    body: z.object({ rows: z.array(AuditRowView), next_cursor: z.int().nullable() }),
  },
  errors: [],

  async handler({ background: { db }, query: { cursor, limit, ...filter } }) {
    const rows = await readAuditLog(db.shards.global.reader, filter, {
      before: cursor,
      limit: limit + 1,
    })
    const shown = rows.slice(0, limit)
    return { rows: shown, next_cursor: rows.length > limit ? shown.at(-1)!.seq : null }
  },
})

export async function readAuditLog(
  db: Reader,
  { subject, operator, action }: AuditFilter,
  { before, limit }: { before?: number | undefined; limit: number },
): Promise<z.input<typeof AuditRowView>[]> {
  let rows = db
    .selectFrom('audit_log as log')
    .leftJoin('operators', 'operators.id', 'log.operator_id')
    .leftJoin('audit_words as words', 'words.words_hash', 'log.words_hash')
    .select(['log.seq', 'log.at', 'log.operator_id', 'log.role', 'log.action', 'log.subject'])
    .select(['log.detail', 'log.words_hash', 'log.hash', 'operators.name', 'words.words'])
    .orderBy('log.seq', 'desc')
    .limit(limit)
  if (subject !== undefined) rows = rows.where('log.subject', '=', subject)
  if (operator !== undefined) rows = rows.where('log.operator_id', '=', operator)
  if (action !== undefined)
    rows = rows.where((where) =>
      where.or([
        where('log.action', '=', action),
        where('log.action', 'like', `${likeOf(action)}.%`),
      ]),
    )
  if (before !== undefined) rows = rows.where('log.seq', '<', before)
  return (await rows.execute()).map(
    ({
      seq,
      at,
      operator_id,
      name,
      role,
      action: did,
      subject: about,
      detail,
      words,
      words_hash,
      hash,
    }) => ({
      seq,
      at: at.toISOString(),
      operator: { id: operator_id, name },
      role,
      action: did,
      subject: about,
      detail: JSON.parse(detail) as Record<string, unknown>,
      words,
      are_words_erased: words_hash !== null && words === null,
      hash,
    }),
  )
}

/** An underscore stands for any character in a pattern. */
const likeOf = (action: string) => action.replaceAll('_', String.raw`\_`)
