/** Show one payout. */
import { command, CommandRefused, named } from './command.ts'
import { payoutWait } from './payout-waits.ts'

export const payout = command({
  name: 'payout',
  takes: 'PAYOUT [--json]',
  does: 'show a payout: status, why it is waiting, and what to do',
  right: 'view',
  isLook: true,
  async run({ db, clock }, { words: [word] }) {
    const id = named(word, 'a payout')
    const found = await db.shards
      .at(id)
      .reader.selectFrom('payouts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (found === undefined) throw new CommandRefused(`Payout ${id} does not exist`)
    const waiting = [payoutWait(found) ?? []].flat()
    return { data: { at: clock.now(), payout: found, waits: waiting } }
  },
})
