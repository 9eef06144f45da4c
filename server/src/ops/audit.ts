/** Audit the ledger now: what is new, or all of it; or show how far the audit is. */
import { auditNow } from '../ledger/audit.ts'
import { reportAudit } from '../ledger/audit-report.ts'
import { command, Misunderstood } from './command.ts'

export const audit = command({
  name: 'audit',
  takes: '[all [--gently] | status]',
  flags: ['--gently'],
  does: 'check the ledger’s new lines and balances, or all of it; exit 1 if an invariant is broken',
  right: 'operate',
  isLook: true,
  async run(background, { words: [what], flags }) {
    if (what !== undefined && what !== 'all' && what !== 'status')
      throw new Misunderstood('Give `all`, `status` or nothing')
    if (what !== 'status')
      await auditNow(background, { isWhole: what === 'all', isGentle: flags.has('--gently') })
    const data = await reportAudit(background.db.shards.readers)
    return { data, isBad: data.breaks.length > 0 }
  },
})
