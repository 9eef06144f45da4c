/**
 * What reconciliation, or an operator, has stopped. Who acts asks for its switch in the transaction in which it acts.
 * What reconciliation has stopped it lets go again by itself; what an operator has stopped, only an operator.
 */
import type { Reader, Tx } from '../kit/db.ts'

export const SWITCHES = ['free_tasks', 'payouts', 'withdrawals'] as const
export type SwitchName = (typeof SWITCHES)[number]

/** In `set_by`, when no operator has. */
export const AUTOMATIC = 'reconciliation'

export interface Switch {
  name: SwitchName
  is_on: boolean
  reason: string | null
  set_by: string
  changed_at: Date
}

export async function readSwitches(reader: Reader): Promise<Switch[]> {
  const rows = await reader
    .selectFrom('platform_switches')
    .select(['name', 'is_on', 'reason', 'set_by', 'changed_at'])
    .orderBy('name')
    .execute()
  return rows as Switch[]
}

/** By an operator. Turned on, it is reconciliation's again, which turns it off while its own reason lasts. */
export async function turnSwitch(
  tx: Tx,
  {
    name,
    isOn,
    reason,
    operator,
    now,
  }: { name: SwitchName; isOn: boolean; reason: string; operator: string; now: Date },
): Promise<void> {
  await tx
    .updateTable('platform_switches')
    .set({
      is_on: isOn,
      reason: isOn ? null : reason,
      set_by: isOn ? AUTOMATIC : operator,
      changed_at: now,
    })
    .where('name', '=', name)
    .execute()
}

/** By reconciliation: `off` names those that must be off, and why. Answers those that it has turned. */
export async function followSwitches(
  tx: Tx,
  { off, now }: { off: Partial<Record<SwitchName, string>>; now: Date },
): Promise<Switch[]> {
  const turned: Switch[] = []
  for (const name of SWITCHES) {
    const reason = off[name] ?? null
    const isOn = reason === null
    const row = await tx
      .updateTable('platform_switches')
      .set({ is_on: isOn, reason, changed_at: now })
      .where('name', '=', name)
      .where('set_by', '=', AUTOMATIC)
      .where('is_on', '<>', isOn)
      .returning(['name', 'is_on', 'reason', 'set_by', 'changed_at'])
      .executeTakeFirst()
    if (row !== undefined) turned.push(row as Switch)
    // The same reason with another sum: it stays off, and its time stays.
    else if (!isOn)
      await tx
        .updateTable('platform_switches')
        .set({ reason })
        .where('name', '=', name)
        .where('set_by', '=', AUTOMATIC)
        .execute()
  }
  return turned
}
