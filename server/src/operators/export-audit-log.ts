/**
 * Export the audit log as lines of JSON, oldest first, with everything that is needed to check its chain elsewhere.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { deskOperation } from '../kit/desk-operation.ts'
import { auditRows } from './audit-chain.ts'
import { appendAudit } from './audit.ts'

export const exportAuditLog = deskOperation({
  method: 'GET',
  path: '/audit-log/export',
  name: 'exportAuditLog',
  right: 'staff',
  summary: 'The whole audit log as lines of JSON',
  success: { status: 200, body: z.object({}) },
  errors: [],

  async handler({ background: { db }, operator, now, sendLines }) {
    const global = db.shards.global
    await global.transaction((tx) =>
      appendAudit(tx, { operator, action: 'audit_log.export', subject: 'audit_log' }, { now }),
    )
    const day = now.toISOString().slice(0, 10)
    sendLines(`audit-log-${day}.ndjson`, auditLines(global.reader))
    return {}
  },
})

export async function* auditLines(db: Reader): AsyncGenerator<string> {
  for await (const row of auditRows(db)) yield `${JSON.stringify(row)}\n`
}
