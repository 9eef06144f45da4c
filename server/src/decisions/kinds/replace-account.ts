/**
 * Let a worker replace a closed or rejected payout account.
 *
 *   called by   an operator with the right `pay`
 *   moves       a payout account: closed or rejected → onboarding
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { replaceAccount as replace } from '../../payouts/replace-account.ts'
import { accountOf } from '../../payouts/queries.ts'
import { decision, NO_EFFECT } from '../decision.ts'
import { decisionRefused } from '../errors.ts'

export const replaceAccount = decision({
  kind: 'account.replace',
  right: 'pay',
  title: 'Let a worker replace a payout account',
  input: z.object({}),

  async preview({ db }, { subject }) {
    const account = await accountOf(db.shards.at(subject).reader, subject)
    if (account === undefined || !['closed', 'rejected'].includes(account.status))
      throw noAccount(subject)
    return {
      ...NO_EFFECT,
      changes: [
        `The account is ${account.status}: the worker can open another one in the app, and waiting payouts go there`,
      ],
    }
  },

  async carryOut({ db, clock }, { subject }) {
    const replaced = await db.shards
      .at(subject)
      .transaction((tx) => replace(tx, { workerId: subject, now: clock.now() }))
    if (replaced === undefined) throw noAccount(subject)
    return { worker_id: subject }
  },

  async findDone({ db }, { subject, since }) {
    const account = await accountOf(db.shards.at(subject).reader, subject)
    const isReplaced = account?.status === 'onboarding' && account.updated_at >= since
    return isReplaced ? { worker_id: subject } : undefined
  },
})

const noAccount = (workerId: string) =>
  decisionRefused({ why: `${workerId} has no closed or rejected payout account` })
