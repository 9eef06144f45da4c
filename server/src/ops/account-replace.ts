/** Let a worker open another payout account in place of a closed or rejected one. */
import { replaceAccount } from '../decisions/kinds/replace-account.ts'
import { command, named, sentenceOf } from './command.ts'
import { decideNow } from './decide.ts'

export const accountReplace = command({
  name: 'account replace',
  takes: 'WORKER REASON',
  does: 'let a worker replace a closed or rejected payout account',
  right: 'pay',
  async run(background, { words: [worker, ...reason], by }) {
    const data = await decideNow(background, replaceAccount, {
      subject: named(worker, 'a worker'),
      input: {},
      reason: sentenceOf(reason, 'a reason'),
      by,
    })
    return { data }
  },
})
