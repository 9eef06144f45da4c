/** Read the audit log, newest first. */
import { readAuditLog } from '../operators/list-audit-log.ts'
import { command, wholeOf } from './command.ts'

const SHOWN = 50
const SHOWN_MAX = 1000

export const auditLog = command({
  name: 'audit-log',
  takes: '[--by OPERATOR] [--about ID] [--action NAME] [--limit N] [--json]',
  does: 'read the operators’ audit log, newest first',
  right: 'staff',
  isLook: true,
  options: ['--by', '--about', '--action', '--limit'],
  async run({ db }, { options }) {
    const { '--by': operator, '--about': subject, '--action': action, '--limit': word } = options
    const limit = word === undefined ? SHOWN : wholeOf(word, 'the limit', { max: SHOWN_MAX })
    const filter = { operator, subject, action }
    return { data: { rows: await readAuditLog(db.shards.global.reader, filter, { limit }) } }
  },
})
