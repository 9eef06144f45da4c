/**
 * What a restore from a backup has lost: everything that was written after the second that the database was restored
 * to, until an operator declared the restore. Others may still know objects from that time, by their ids.
 */
import { sql } from 'kysely'
import type { Reader, Shards } from './db.ts'
import { readReachable } from './everywhere.ts'

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
 * declared that restore. Each database can have one; a restore that nobody has declared comes first.
 */
export async function findRecoveryTarget({
  queues,
  global,
}: Pick<Shards, 'queues' | 'global'>): Promise<
  { restoredTo: Date; isDeclared: boolean } | undefined
> {
  const databases = queues.map(({ reader }) => reader)
  const targets = (await readReachable(databases, targetOf)).filter((target) => target !== null)
  if (targets.length === 0) return undefined
  const declared = await global.reader
    .selectFrom('restores')
    .select('restored_to')
    .where('restored_to', 'in', targets)
    .execute()
  const times = declared.map(({ restored_to }) => restored_to.getTime())
  const undeclared = targets.find((target) => !times.includes(target.getTime()))
  return { restoredTo: undeclared ?? targets[0]!, isDeclared: undeclared === undefined }
}

async function targetOf(database: Reader): Promise<Date | null> {
  const { rows } = await sql<{ target: Date | null }>`
    select nullif(current_setting('recovery_target_time', true), '')::timestamptz as target`.execute(
    database,
  )
  return rows[0]!.target
}
