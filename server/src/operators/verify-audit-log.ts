/**
 * Check the whole audit log: the first row that was changed or is missing, if any.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { checkChain } from './audit-chain.ts'

const Head = z.object({ seq: z.int().min(1), hash: z.string().regex(/^[0-9a-f]{64}$/) })

export const verifyAuditLog = deskOperation({
  method: 'POST',
  path: '/audit-log/verify',
  name: 'verifyAuditLog',
  right: 'staff',
  summary: 'Check the chain of the audit log',
  body: z.object({
    head: Head.optional().describe(
      'A head from the nightly log line, to see if rows after it were deleted',
    ),
  }),
  success: {
    status: 200,
    body: z.object({
      rows: z.int(),
      head: z.object({ seq: z.int(), hash: z.string() }).nullable(),
      first_wrong: z.object({ seq: z.int(), problem: z.string() }).nullable(),
    }),
  },
  errors: [],

  handler: ({ background: { db }, body: { head }, now }) =>
    checkChain(db.shards.global, { known: head, now }),
})
