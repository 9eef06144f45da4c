/** Reinstate a worker whose account is suspended or closed. */
import { reinstateWorker } from '../workers/reinstate.ts'
import { command, named, sentenceOf } from './command.ts'

export const workerReinstate = command({
  name: 'worker reinstate',
  takes: 'WORKER REASON',
  does: 'reinstate a suspended or closed worker; the worker sees the reason',
  right: 'rule',
  async run({ db, clock }, { words: [worker, ...reason], operator }) {
    const request = {
      workerId: named(worker, 'a worker'),
      note: sentenceOf(reason, 'a reason, which the worker sees'),
      operator,
      now: clock.now(),
    }
    const data = await db.shards
      .at(request.workerId)
      .transaction((tx) => reinstateWorker(tx, request))
    return { data, isBad: 'refusal' in data }
  },
})
