/** Accept the lines of a day that were changed after an audit, once it is known why: ends that break. */
import { acceptDay } from '../ledger/audit-state.ts'
import { command, CommandRefused, Misunderstood, named, sentenceOf } from './command.ts'

const DAY = /^\d{4}-\d\d-\d\d$/

export const auditAccept = command({
  name: 'audit accept',
  takes: 'DAY REASON',
  does: 'accept the changed ledger lines of a day (2026-01-31); the next round compares with them',
  right: 'operate',
  async run(background, { words: [word, ...reason] }) {
    const day = named(word, 'a day')
    if (!DAY.test(day)) throw new Misunderstood('Give the day as YYYY-MM-DD')
    sentenceOf(reason, 'a reason')
    if (!(await acceptDay(background, day)))
      throw new CommandRefused(`There is no open break about the lines of ${day}`)
    return { data: { day } }
  },
})
