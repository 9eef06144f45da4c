/**
 * What a restore from a backup has lost: everything that was written after the second that the database was restored
 * to, until an operator declared the restore. Others may still know objects from that time, by their ids.
 */
import { sql } from 'kysely'
import type { Reader } from './db.ts'

/** Others' clocks differ from ours, and their objects exist before we commit what we know of them. */
const SLACK_MS = 10 * 60_000

/** Whether an object that was made at this time may be missing, although others know it. */
export async function isLostTime(reader: Reader, at: Date): Promise<boolean> {
  return (await lostSince(reader, at)) !== undefined
}

/** If this time was lost: everything from before the returned time is certainly still there. */
export async function lostSince(reader: Reader, at: Date): Promise<Date | undefined> {
  const found = await reader
    .selectFrom('restores')
    .select('restored_to')
    .where('restored_to', '<=', new Date(at.getTime() + SLACK_MS))
    .where('declared_at', '>=', new Date(at.getTime() - SLACK_MS))
    .orderBy('restored_to')
    .limit(1)
    .executeTakeFirst()
  return found && new Date(found.restored_to.getTime() - SLACK_MS)
}

/** Whether the database was restored since `at`, so that something may have been done for a row from then and lost. */
export async function isRestoredSince(reader: Reader, at: Date): Promise<boolean> {
  const found = await reader
    .selectFrom('restores')
    .select('restored_to')
    .where('declared_at', '>=', at)
    .limit(1)
    .executeTakeFirst()
  return found !== undefined
}

/**
 * The second that PostgreSQL was told to recover to, as long as its settings name one, and whether an operator has
 * declared that restore.
 */
export async function findRecoveryTarget(
  reader: Reader,
): Promise<{ restoredTo: Date; isDeclared: boolean } | undefined> {
  const { rows } = await sql<{ restored_to: Date | null; is_declared: boolean }>`
    select target as restored_to, exists (select 1 from restores where restored_to = target) as is_declared
      from nullif(current_setting('recovery_target_time', true), '') setting,
           lateral (select setting::timestamptz) t(target)`.execute(reader)
  const { restored_to: restoredTo, is_declared: isDeclared } = rows[0]!
  return restoredTo === null ? undefined : { restoredTo, isDeclared }
}
