/** Decide the reports about a task. */
import { decideReport } from '../moderation/decide-report.ts'
import { command, CommandRefused, Misunderstood, named, sentenceOf } from './command.ts'

export const report = command({
  name: 'report',
  takes: 'TASK clear | uphold REASON',
  does: 'clear a reported task, or uphold the reports and cancel it',
  right: 'rule',
  async run({ db, clock, config }, { words: [task, word, ...reason] }) {
    const taskId = named(task, 'a task')
    const verdict = word === 'clear' ? 'cleared' : word === 'uphold' ? 'upheld' : undefined
    if (verdict === undefined) throw new Misunderstood('The decision must be `clear` or `uphold`')
    sentenceOf(reason, 'a reason')
    const decided = await db.shards
      .at(taskId)
      .transaction((tx) => decideReport(tx, { taskId, verdict }, { config, now: clock.now() }))
    if (decided === undefined) throw new CommandRefused(`There are no open reports about ${taskId}`)
    return { data: { verdict, task: { id: taskId, status: decided.status } } }
  },
})
