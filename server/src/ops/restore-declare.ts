/** Declare that the database was restored from a backup, before any server is started. */
import { findRecoveryTarget } from '../kit/lost-time.ts'
import { declareRestore } from '../reconcile/declare-restore.ts'
import { copySwitches } from '../reconcile/switches.ts'
import { skipSequences } from '../tasks/event-sequence.ts'
import { command, CommandRefused, Misunderstood } from './command.ts'

export const restoreDeclare = command({
  name: 'restore declare',
  takes: '[TIME]',
  does: 'after a restore from a backup: stop payouts, refunds and withdrawals',
  right: 'operate',
  async run({ db, clock }, { words: [time], operator }) {
    const now = clock.now()
    const restoredTo =
      time === undefined ? (await findRecoveryTarget(db.shards))?.restoredTo : readTime(time)
    if (restoredTo === undefined)
      throw new Misunderstood(
        'The database does not name the time that it was restored to; give TIME',
      )
    if (restoredTo >= now) throw new CommandRefused('That time is in the future')
    // First, because a repeated jump does no harm and a missing one does.
    const task_count = await skipSequences(db.shards, { now })
    const is_new = await db.transaction((tx) => declareRestore(tx, { restoredTo, operator, now }))
    await copySwitches(db.shards)
    return { data: { restored_to: restoredTo, is_new, task_count } }
  },
})

function readTime(word: string): Date {
  // Without an offset, the time could be of any time zone.
  const time = /T.*(Z|[+-]\d\d:\d\d)$/.test(word) ? new Date(word) : new Date(Number.NaN)
  if (Number.isNaN(time.getTime()))
    throw new Misunderstood('The time must look like 2026-01-31T12:00:00Z')
  return time
}
