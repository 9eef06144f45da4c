/** Reopen an account that its owner closed, so that the owner can claim the balance. */
import { z } from 'zod'
import { reopenWorker } from '../workers/reopen.ts'
import { command, Misunderstood, named, sentenceOf } from './command.ts'

export const workerReopen = command({
  name: 'worker reopen',
  takes: 'WORKER EMAIL REASON',
  does: 'reopen an account that its owner closed, for a claim; emails a link to choose a password',
  right: 'rule',
  async run({ db, clock }, { words: [worker, email, ...reason] }) {
    const { data: address } = z.email().max(254).safeParse(email)
    if (address === undefined) throw new Misunderstood('Give the email of the owner')
    sentenceOf(reason, 'a reason, such as how you checked who is asking')
    const request = { workerId: named(worker, 'a worker'), email: address, now: clock.now() }
    const data = await reopenWorker(db, request)
    return { data, isBad: 'refusal' in data }
  },
})
