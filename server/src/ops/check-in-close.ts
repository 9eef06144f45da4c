/** Close the missed check-in of a worker. */
import { closeCheckIn } from '../decisions/kinds/close-check-in.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const checkInClose = command({
  name: 'check-in close',
  takes: 'WORKER REASON',
  does: 'close the missed check-in of a worker, saying how the worker is',
  right: 'answer',
  async run(background, { words: [worker, ...reason], by }) {
    const data = await decideNow(background, closeCheckIn, {
      subject: named(worker, 'a worker'),
      input: {},
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
