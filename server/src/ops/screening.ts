/** Decide about a task that waits for its screening. */
import { decideTaskScreening } from '../decisions/kinds/decide-screening.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const screening = command({
  name: 'screening',
  takes: 'TASK clear | refuse REASON',
  does: 'let workers see a doubtful task, or cancel and refund it; the agent then sees the reason',
  right: 'rule',
  async run(background, { words: [task, word, ...reason], by }) {
    const subject = named(task, 'a task')
    const chosen = word === 'clear' ? 'cleared' : word === 'refuse' ? 'refused' : undefined
    if (chosen === undefined) throw new Misunderstood('The decision must be `clear` or `refuse`')
    const data = await decideNow(background, decideTaskScreening, {
      subject,
      input: { decision: chosen },
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
