/** Reopen an account that its owner closed, so that the owner can claim the balance. */
import { z } from 'zod'
import { reopenWorker } from '../decisions/kinds/reopen-worker.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const workerReopen = command({
  name: 'worker reopen',
  takes: 'WORKER EMAIL REASON',
  does: 'reopen an account that its owner closed, for a claim; emails a link to choose a password',
  right: 'rule',
  async run(background, { words: [worker, email, ...reason], by }) {
    const { data: address } = z.email().max(254).safeParse(email)
    if (address === undefined) throw new Misunderstood('Give the email of the owner')
    const data = await decideNow(background, reopenWorker, {
      subject: named(worker, 'a worker'),
      input: { email: address },
      reason: sentenceOf(reason, 'a reason, such as how you checked who is asking'),
      by,
    })
    return { data }
  },
})
