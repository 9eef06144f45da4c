/** Checks a whole ledger from outside of the server: the restore drill and the tests do. */
import type { Db } from '../kit/db.ts'
import { withPatientReader } from '../kit/patient-reader.ts'
import { auditLedger, booksOf, type Break } from './audit-checks.ts'

/** A large ledger takes hours to read, and a request's timeout would end it. */
const SLOWEST_MS = 12 * 3_600_000

/** Audits a database with one schema, or one shard of a database with several. */
export const auditPatiently = (databaseUrl: string, shard?: Db): Promise<Break[]> =>
  withPatientReader(
    databaseUrl,
    SLOWEST_MS,
    (reader) =>
      shard
        ? auditLedger(reader, { ...booksOf(shard, reader), schema: shard.schema })
        : auditLedger(reader),
    shard?.schema,
  )
