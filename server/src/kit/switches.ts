/**
 * The names of the platform's switches, and this process's copy of their state. Requests look at the copy, so a switch
 * costs them nothing: it is read again every second, in the background. An action that moves money reads its switch in
 * its own transaction instead.
 */
import type { Db, Reader } from './db.ts'
import { readOnly } from './errors.ts'

export const SWITCHES = [
  'free_tasks',
  'payouts',
  'refunds',
  'withdrawals',
  'registrations',
  'tasks_verification',
  'tasks_voice_proxy',
  'tasks_gut_check',
  'tasks_field_mission',
  'tasks_empathy_escalation',
  'tasks_vibe_reader',
  'tasks_custom',
  'read_only',
] as const
export type SwitchName = (typeof SWITCHES)[number]

/** Read-only mode stops something while it is on; every other switch does while it is off. */
export const isStopping = ({ name, is_on }: { name: string; is_on: boolean }): boolean =>
  is_on === (name === 'read_only')

/** If reading the switches takes as long as this, requests wait for it instead of using an older copy. */
const AGE_MAX_FACTOR = 2
/** Read-only mode is meant for minutes. Clients that retry soon would only load the server. */
const RETRY_AFTER_SECONDS = 60

export interface Switches {
  isStopped(name: SwitchName): Promise<boolean>
}

/**
 * Opens the copy, which is read on first use. If the database can't be reached, the last known state applies: whatever
 * then needs the database fails anyway.
 */
export function openSwitches(
  { global }: { global: Pick<Db, 'reader'> },
  { trustMs }: { trustMs: number },
): Switches {
  let stopped: ReadonlySet<string> | undefined
  let readAtMs = -Infinity
  let reading: Promise<void> | undefined

  async function read(): Promise<void> {
    const startedMs = performance.now()
    const rows = await global.reader
      .selectFrom('platform_switches')
      .select(['name', 'is_on'])
      .execute()
    stopped = new Set(rows.filter(isStopping).map(({ name }) => name))
    readAtMs = startedMs
  }

  function readOnce(): Promise<void> {
    reading ??= read()
      .catch((error: unknown) => {
        if (stopped === undefined) throw error
        readAtMs = performance.now()
      })
      .finally(() => (reading = undefined))
    return reading
  }

  return {
    async isStopped(name) {
      const ageMs = performance.now() - readAtMs
      if (ageMs >= trustMs * AGE_MAX_FACTOR) await readOnce()
      else if (ageMs >= trustMs) void readOnce()
      return stopped!.has(name)
    },
  }
}

/** The last moment at which read-only mode was on; undefined if it never was. */
export async function lastReadOnly(reader: Reader, now: Date): Promise<Date | undefined> {
  const turned = await reader
    .selectFrom('platform_switches')
    .select(['is_on', 'changed_at'])
    .where('name', '=', 'read_only')
    // Only operators turn it.
    .where('set_by', '<>', 'reconciliation')
    .executeTakeFirst()
  return turned && (turned.is_on ? now : turned.changed_at)
}

/** Refuses a request that would change something while the platform is in read-only mode. */
export async function refuseWhileReadOnly(switches: Switches): Promise<void> {
  if (await switches.isStopped('read_only'))
    throw readOnly({ retry_after_seconds: RETRY_AFTER_SECONDS })
}
