export { auditPatiently } from '../src/ledger/audit-patiently.ts'
