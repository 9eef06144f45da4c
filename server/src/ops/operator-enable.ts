/** Enable an operator’s account. */
import { enable } from '../operators/change-operator.ts'
import { showOperator } from '../operators/view.ts'
import { command } from './command.ts'
import { findOperator } from './find-operator.ts'

export const operatorEnable = command({
  name: 'operator enable',
  takes: 'EMAIL [REASON]',
  does: 'enable an operator’s account',
  right: 'staff',
  async run(background, { words: [email, ...reason], by }) {
    const { db, clock } = background
    const operatorId = await findOperator(background, email)
    await db.shards.global.transaction((tx) =>
      enable(tx, { operatorId, reason: reason.join(' '), by, now: clock.now() }),
    )
    return { data: await showOperator(db.shards.global, operatorId) }
  },
})
