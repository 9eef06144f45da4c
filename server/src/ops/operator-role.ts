/** Give an operator another role. */
import { ROLES } from '../kit/rights.ts'
import { giveRole } from '../operators/change-operator.ts'
import { showOperator } from '../operators/view.ts'
import { command, Misunderstood } from './command.ts'
import { findOperator } from './find-operator.ts'

export const operatorRole = command({
  name: 'operator role',
  takes: 'EMAIL ROLE [REASON]',
  does: `change an operator’s role: ${ROLES.join(', ')}`,
  right: 'staff',
  async run(background, { words: [email, word, ...reason], by }) {
    const { db, clock } = background
    const role = ROLES.find((known) => known === word)
    if (role === undefined) throw new Misunderstood(`The roles are ${ROLES.join(', ')}`)
    const operatorId = await findOperator(background, email)
    await db.shards.global.transaction((tx) =>
      giveRole(tx, { operatorId, role, reason: reason.join(' '), by, now: clock.now() }),
    )
    return { data: await showOperator(db.shards.global, operatorId) }
  },
})
