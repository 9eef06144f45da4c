import { openDb } from '../src/kit/db.ts'
import { auditLedger, type Break } from '../src/ledger/audit-checks.ts'

const SLOWEST_MS = 3_600_000

/** Checks the whole ledger without the request timeout: after thousands of operations, it takes longer. */
export async function auditPatiently(databaseUrl: string): Promise<Break[]> {
  const db = openDb(databaseUrl, { connectionsMax: 1, slowestMs: SLOWEST_MS, onError: () => {} })
  try {
    return await auditLedger(db.reader)
  } finally {
    await db.close()
  }
}
