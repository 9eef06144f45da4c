/** Checks a whole ledger from outside of the server: the restore drill and the tests do. */
import { withPatientReader } from '../kit/patient-reader.ts'
import { auditLedger, type Break } from './audit-checks.ts'

/** A large ledger takes hours to read, and a request's timeout would end it. */
const SLOWEST_MS = 12 * 3_600_000

export const auditPatiently = (databaseUrl: string): Promise<Break[]> =>
  withPatientReader(databaseUrl, SLOWEST_MS, auditLedger)
