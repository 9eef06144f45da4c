/** Let a worker open another payout account in place of a closed or rejected one. */
import { replaceAccount } from '../payouts/replace-account.ts'
import { command, CommandRefused, named, sentenceOf } from './command.ts'

export const accountReplace = command({
  name: 'account replace',
  takes: 'WORKER REASON',
  does: 'let a worker replace a closed or rejected payout account',
  right: 'pay',
  async run({ db, clock }, { words: [worker, ...reason] }) {
    const workerId = named(worker, 'a worker')
    sentenceOf(reason, 'a reason')
    const replaced = await db.shards
      .at(workerId)
      .transaction((tx) => replaceAccount(tx, { workerId, now: clock.now() }))
    if (replaced === undefined)
      throw new CommandRefused(`${workerId} has no closed or rejected payout account`)
    return { data: { worker_id: workerId } }
  },
})
