/** Disable an operator’s account, which ends all sessions at once. */
import { disable } from '../operators/change-operator.ts'
import { showOperator } from '../operators/view.ts'
import { command } from './command.ts'
import { findOperator } from './find-operator.ts'

export const operatorDisable = command({
  name: 'operator disable',
  takes: 'EMAIL [REASON]',
  does: 'disable an operator’s account and end all sessions',
  right: 'staff',
  async run(background, { words: [email, ...reason], by }) {
    const { db, clock } = background
    const operatorId = await findOperator(background, email)
    await db.shards.global.transaction((tx) =>
      disable(tx, { operatorId, reason: reason.join(' '), by, now: clock.now() }),
    )
    return { data: await showOperator(db.shards.global, operatorId) }
  },
})
