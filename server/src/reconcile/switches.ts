/**
 * Kill switches, set by reconciliation or an operator. An action that moves money checks its switch in its own
 * transaction; requests look at a copy (`server/src/kit/switches.ts`). Reconciliation turns its own switches back on
 * automatically; only an operator turns on what an operator has turned off.
 */
import { sql } from 'kysely'
import type { Reader, Shards, Tx } from '../kit/db.ts'
import { tryEach } from '../kit/everywhere.ts'
import { isStopping, type SwitchName } from '../kit/switches.ts'

/** The switches that reconciliation turns. Operators alone turn the others. */
const MONEY_SWITCHES = ['free_tasks', 'payouts', 'refunds', 'withdrawals'] as const
export type MoneySwitch = (typeof MONEY_SWITCHES)[number]

/** Switches of money that leaves; they stay off after a restore from a backup until it is opened. */
export const DOORS: readonly MoneySwitch[] = ['payouts', 'refunds', 'withdrawals']

/** The reason of a switch that a restore has turned off begins with this. */
export const RESTORED = 'the database was restored to'

/** An arbitrary advisory lock key; nothing else in this database may use it. */
const LOCK = 5_640_302_117_422

/** The value of `set_by` when no operator has set the switch. */
export const AUTOMATIC = 'reconciliation'

export interface Switch {
  name: SwitchName
  is_on: boolean
  /** Why it is stopping something; for a switch that only operators turn, also why it no longer does. */
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

export const isMoneySwitch = (name: SwitchName): name is MoneySwitch =>
  (MONEY_SWITCHES as readonly string[]).includes(name)

/**
 * Turns a switch for an operator. Once on, a switch of money is controlled by reconciliation again, which turns it off
 * while its own reason lasts.
 */
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
  const isControlled = isMoneySwitch(name) && !isStopping({ name, is_on: isOn })
  await tx
    .updateTable('platform_switches')
    .set({
      is_on: isOn,
      reason: isControlled || reason === '' ? null : reason,
      set_by: isControlled ? AUTOMATIC : operator,
      changed_at: now,
    })
    .where('name', '=', name)
    .execute()
}

/**
 * Turns switches for reconciliation: `off` lists those that must be off, and why. Returns the switches that changed.
 */
export async function followSwitches(
  tx: Tx,
  { off, now }: { off: Partial<Record<MoneySwitch, string>>; now: Date },
): Promise<Switch[]> {
  const turned: Switch[] = []
  for (const name of MONEY_SWITCHES) {
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
    // Only the amount in the reason has changed: the switch stays off since the same time.
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

/**
 * Copies the switches to the shards: an operation reads those of its own schema. A lock makes copies wait for each
 * other: otherwise a slow one could overwrite a newer state.
 */
export async function copySwitches({ global, all }: Shards): Promise<void> {
  if (all.includes(global)) return
  await global.transaction(async (tx) => {
    await sql`select pg_advisory_xact_lock(${LOCK})`.execute(tx)
    const switches = await readSwitches(tx)
    await tryEach(all, (shard) =>
      shard.transaction(async (own) => {
        for (const { name, ...state } of switches)
          await own.updateTable('platform_switches').set(state).where('name', '=', name).execute()
      }),
    )
  })
}
