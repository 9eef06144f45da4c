/** Accept the lines of a day that were changed after an audit, once it is known why: ends that break. */
import { acceptAudit } from '../decisions/kinds/accept-audit.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

const DAY = /^\d{4}-\d\d-\d\d$/

export const auditAccept = command({
  name: 'audit accept',
  takes: 'DAY REASON',
  does: 'accept the changed ledger lines of a day (2026-01-31); the next round compares with them',
  right: 'operate',
  async run(background, { words: [word, ...reason], by }) {
    const day = named(word, 'a day')
    if (!DAY.test(day)) throw new Misunderstood('Give the day as YYYY-MM-DD')
    const data = await decideNow(background, acceptAudit, {
      subject: day,
      input: {},
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
