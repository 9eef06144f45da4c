/** Reinstate a worker whose account is suspended or closed. */
import { reinstateWorker } from '../decisions/kinds/reinstate-worker.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const workerReinstate = command({
  name: 'worker reinstate',
  takes: 'WORKER REASON',
  does: 'reinstate a suspended or closed worker; the worker sees the reason',
  right: 'rule',
  async run(background, { words: [worker, ...reason], by }) {
    const data = await decideNow(background, reinstateWorker, {
      subject: named(worker, 'a worker'),
      input: {},
      reason: sentenceOf(reason, 'a reason, which the worker sees'),
      by,
    })
    return { data }
  },
})
