/**
 * Open the marketplace's doors for money again after a restore from a backup.
 *
 *   called by   an operator, `server ops restore open`, right after a complete check
 *   moves       a restore: checked → opened; the switches that the declaration turned off: → on, unless
 *               reconciliation has its own reason to turn them off
 *   money       none; payouts and refunds that waited are sent
 *   event       none
 */
import type { Tx } from '../kit/db.ts'
import { readSwitches, RESTORED, turnSwitch } from './switches.ts'

/** Returns false if there is no restore to open, or if its last check was not complete. */
export async function openRestore(
  tx: Tx,
  { operator, now }: { operator: string; now: Date },
): Promise<boolean> {
  const restores = await tx
    .selectFrom('restores')
    .select('checked_at')
    .where('opened_at', 'is', null)
    .forUpdate()
    .execute()
  if (restores.length === 0 || restores.some(({ checked_at }) => checked_at === null)) return false
  await tx
    .updateTable('restores')
    .set({ opened_at: now, opened_by: operator })
    .where('opened_at', 'is', null)
    .execute()
  for (const { name, reason } of await readSwitches(tx))
    if (reason?.startsWith(RESTORED))
      await turnSwitch(tx, { name, isOn: true, reason: '', operator, now })
  return true
}
