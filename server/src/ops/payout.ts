/** Show one payout. */
import { command, CommandRefused, named } from './command.ts'
import { payoutWait } from './payout-waits.ts'

export const payout = command({
  name: 'payout',
  takes: 'PAYOUT [--json]',
  does: 'one payout: its status, why it waits, and what ends that',
  isLook: true,
  async run({ db, clock }, { words: [word] }) {
    const id = named(word, 'a payout')
    const found = await db.reader
      .selectFrom('payouts')
      .selectAll()
      .where('id', '=', id)
      .executeTakeFirst()
    if (found === undefined) throw new CommandRefused(`There is no payout ${id}`)
    const waiting = [payoutWait(found) ?? []].flat()
    return { data: { at: clock.now(), payout: found, waits: waiting } }
  },
})
