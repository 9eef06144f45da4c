/** Book what the processor did in lost time, and list it. */
import { checkRestore } from '../reconcile/check-restore.ts'
import { command, CommandRefused } from './command.ts'

export const NO_RESTORE = 'No restore is open: `ops restore declare` declares one'

export const restoreCheck = command({
  name: 'restore check',
  takes: '[--json]',
  does: 'book what the processor did in lost time, and list it; exit 1 if something is left',
  right: 'operate',
  async run(background) {
    const data = await checkRestore(background)
    if (data === undefined) throw new CommandRefused(NO_RESTORE)
    return { data, isBad: !data.is_complete }
  },
})
