/** Decide the reports about a task. */
import { decideReports } from '../decisions/kinds/decide-reports.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const report = command({
  name: 'report',
  takes: 'TASK clear | uphold REASON',
  does: 'clear a reported task, or uphold the reports and cancel it; the agent then sees the reason',
  right: 'rule',
  async run(background, { words: [task, word, ...reason], by }) {
    const subject = named(task, 'a task')
    const verdict = word === 'clear' ? 'cleared' : word === 'uphold' ? 'upheld' : undefined
    if (verdict === undefined) throw new Misunderstood('The decision must be `clear` or `uphold`')
    const data = await decideNow(background, decideReports, {
      subject,
      input: { verdict },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
