/** List the switches: what each one stops, whether it does, and who turned it when and why. */
import type { Reader } from '../kit/db.ts'
import { isStopping, SWITCHES, type SwitchName } from '../kit/switches.ts'
import { SWITCH_STOPS } from '../reconcile/switch-effects.ts'
import { AUTOMATIC, isMoneySwitch, readSwitches } from '../reconcile/switches.ts'
import { command } from './command.ts'

export interface ListedSwitch {
  name: SwitchName
  is_on: boolean
  /** Whether it stops something now: read-only mode does while it is on, all others while they are off. */
  is_stopping: boolean
  /** What it stops, as a noun phrase. */
  stops: string
  /** Who turned it; `reconciliation` if that controls it. Null if nobody has. */
  set_by: string | null
  reason: string | null
  changed_at: Date | null
  /** Reconciliation turns it too. */
  is_automatic: boolean
}

export const switches = command({
  name: 'switches',
  right: 'view',
  takes: '[--json]',
  does: 'list what can be switched off, and who switched what off when and why; exit 1 if something is stopped',
  isLook: true,
  async run({ db, clock }) {
    const listed = await listSwitches(db.shards.global.reader)
    return {
      data: { at: clock.now(), switches: listed },
      isBad: listed.some(({ is_stopping }) => is_stopping),
    }
  },
})

/** In the order of the declaration. */
export async function listSwitches(global: Reader): Promise<ListedSwitch[]> {
  const rows = await readSwitches(global)
  return SWITCHES.map((name) => {
    const { is_on, reason, set_by, changed_at } = rows.find((row) => row.name === name)!
    const isAutomatic = isMoneySwitch(name)
    const isUntouched = !isAutomatic && set_by === AUTOMATIC
    return {
      name,
      is_on,
      is_stopping: isStopping({ name, is_on }),
      stops: SWITCH_STOPS[name],
      set_by: isUntouched ? null : set_by,
      reason,
      changed_at: isUntouched ? null : changed_at,
      is_automatic: isAutomatic,
    }
  })
}
