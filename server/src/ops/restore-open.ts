/** Check once more, and turn on again what the restore had turned off. */
import { checkRestore } from '../reconcile/check-restore.ts'
import { openRestore } from '../reconcile/open-restore.ts'
import { copySwitches, DOORS, isMoneySwitch, readSwitches } from '../reconcile/switches.ts'
import { command, CommandRefused } from './command.ts'
import { NO_RESTORE } from './restore-check.ts'

export const restoreOpen = command({
  name: 'restore open',
  takes: '',
  does: 'check once more, then turn payouts, refunds and withdrawals on again',
  right: 'operate',
  async run(background, { operator }) {
    const { db, clock } = background
    const checked = await checkRestore(background)
    if (checked === undefined) throw new CommandRefused(NO_RESTORE)
    const is_open = await db.transaction((tx) => openRestore(tx, { operator, now: clock.now() }))
    await copySwitches(db.shards)
    const switches = (await readSwitches(db.reader)).filter(
      ({ name }) => isMoneySwitch(name) && DOORS.includes(name),
    )
    return { data: { ...checked, is_open, switches }, isBad: !is_open }
  },
})
