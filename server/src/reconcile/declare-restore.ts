/**
 * Declare that the database was restored from a backup: what others did since then is unknown here.
 *
 *   called by   an operator, `server ops restore declare`, before any server is started
 *   moves       a restore: (none) → declared; the switches payouts, refunds and withdrawals: → off; what an operator
 *               had turned off keeps its reason
 *   money       none; nothing leaves until the restore is opened
 *   event       none
 */
import type { Tx } from '../kit/db.ts'
import { AUTOMATIC, DOORS, readSwitches, RESTORED, turnSwitch } from './switches.ts'

/** Returns false if this restore was declared before. */
export async function declareRestore(
  tx: Tx,
  { restoredTo, operator, now }: { restoredTo: Date; operator: string; now: Date },
): Promise<boolean> {
  const declared = await tx
    .insertInto('restores')
    .values({ restored_to: restoredTo, declared_at: now, declared_by: operator })
    .onConflict((conflict) => conflict.doNothing())
    .returning('restored_to')
    .executeTakeFirst()
  if (declared === undefined) return false
  const reason = `${RESTORED} ${restoredTo.toISOString()}`
  const switches = await readSwitches(tx)
  for (const name of DOORS) {
    const { is_on, set_by } = switches.find((one) => one.name === name)!
    // A switch that an operator has turned off keeps its reason, and so stays off after the restore is opened.
    if (is_on || set_by === AUTOMATIC)
      await turnSwitch(tx, { name, isOn: false, reason, operator, now })
  }
  return true
}
