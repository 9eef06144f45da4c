/** Checks a whole ledger from outside of the server: the restore drill and the tests do. */
import { openDb } from '../kit/db.ts'
import { auditLedger, type Break } from './audit-checks.ts'

/** A large ledger takes hours to read, and a request's timeout would end it. */
const SLOWEST_MS = 12 * 3_600_000

export async function auditPatiently(databaseUrl: string): Promise<Break[]> {
  const db = openDb(databaseUrl, { connectionsMax: 1, slowestMs: SLOWEST_MS, onError: () => {} })
  try {
    return await auditLedger(db.reader)
  } finally {
    await db.close()
  }
}
