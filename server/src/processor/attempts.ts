/**
 * Sends a request that moves money at the processor exactly once, even after crashes and timeouts.
 *
 * Its idempotency key is stored before it is sent. While the outcome is unknown, the request is retried with the same
 * key, and the processor returns its original result. It forgets keys after a day, so an outcome that is unknown for
 * longer is looked up there. A new attempt with a new key starts only once it is certain that the last did not happen.
 */
import { sql } from 'kysely'
import type { Config } from '../config.ts'
import type { Db, Reader, Tx } from '../kit/db.ts'
import type { Outcome } from './outcome.ts'

/** After this many identical processor failures, treat the failure as a stored response that retries won't change. */
const REPEATS_MAX = 3
/** Longer than any request can be in flight: one sent more recently may still arrive after our lookup. */
const UNDER_WAY_MAX_MS = 300_000

export interface Attempt {
  subjectId: string
  attempt: number
  key: string
  begunAt: Date
  repeats: number
}

export type Sent<T> =
  | { kind: 'ok'; value: T }
  | { kind: 'refused'; code: string; message: string }
  /** The lookup showed that it did not happen: the next attempt may begin. */
  | { kind: 'not_found' }
  /** It may have happened: undo nothing, and continue the same attempt later. */
  | { kind: 'unknown'; cause: string }
  | { kind: 'later'; code: string; afterMs: number | undefined }

/**
 * Returns the open attempt or starts the next one. Call it in the transaction that has locked the subject and decided
 * to send it; commit before calling `tryAttempt`.
 */
export async function beginAttempt(
  tx: Tx,
  { subjectId, prefix, now }: { subjectId: string; prefix: string; now: Date },
): Promise<Attempt> {
  const last = await tx
    .selectFrom('processor_attempts')
    .select(['attempt', 'key', 'begun_at', 'repeats', 'outcome'])
    .where('subject_id', '=', subjectId)
    .orderBy('attempt', 'desc')
    .limit(1)
    .executeTakeFirst()
  if (last !== undefined && last.outcome === null) {
    const { attempt, key, begun_at, repeats } = last
    return { subjectId, attempt, key, begunAt: begun_at, repeats }
  }
  const attempt = (last?.attempt ?? 0) + 1
  const key = `${prefix}_${subjectId}_a${attempt}`
  await tx
    .insertInto('processor_attempts')
    .values({ subject_id: subjectId, attempt, key, begun_at: now })
    .execute()
  return { subjectId, attempt, key, begunAt: now, repeats: 0 }
}

/** Sends the attempt, or looks up its outcome. The caller records a known outcome with `endAttempt`. */
export async function tryAttempt<T>(
  { db, config }: { db: Db; config: Pick<Config, 'LOOK_UP_HOURS'> },
  attempt: Attempt,
  {
    create,
    find,
    now,
  }: {
    create(key: string): Promise<Outcome<T>>
    /** Finds the processor's object for this subject, whichever attempt created it. */
    find(): Promise<Outcome<T | undefined>>
    now: Date
  },
): Promise<Sent<T>> {
  const lookUp = async (): Promise<Sent<T>> => {
    const found = await find()
    if (found.kind === 'ok' && found.value !== undefined) return { kind: 'ok', value: found.value }
    if (found.kind === 'ok' && !(await isUnderWay(db, attempt, now))) return { kind: 'not_found' }
    if (found.kind === 'ok') return { kind: 'unknown', cause: 'may still be under way' }
    const cause = found.kind === 'ambiguous' ? found.cause : found.code
    await note(db, attempt, { cause, isRepeat: false })
    return { kind: 'unknown', cause }
  }
  const isOld = now.getTime() - attempt.begunAt.getTime() >= config.LOOK_UP_HOURS * 3_600_000
  if (isOld || attempt.repeats >= REPEATS_MAX) return lookUp()

  if (!(await markSent(db, attempt, now))) return { kind: 'unknown', cause: 'ended by another' }
  const outcome = await create(attempt.key)
  switch (outcome.kind) {
    case 'ok':
      return outcome
    case 'definite':
      // Our API key was refused, not the request: an earlier try of this attempt may have succeeded.
      if (outcome.isKeyRefused) {
        await note(db, attempt, { cause: outcome.code, isRepeat: false })
        return { kind: 'later', code: outcome.code, afterMs: undefined }
      }
      // The idempotency key was used for a request with different parameters, which may have succeeded.
      if (outcome.code === 'idempotency_error') return lookUp()
      return { kind: 'refused', code: outcome.code, message: outcome.message }
    case 'retry_later':
      await note(db, attempt, { cause: outcome.code, isRepeat: false })
      return { kind: 'later', code: outcome.code, afterMs: outcome.afterMs }
    case 'ambiguous':
      await note(db, attempt, { cause: outcome.cause, isRepeat: outcome.isAnswer })
      return { kind: 'unknown', cause: outcome.cause }
  }
}

/** Closes the attempt, in the transaction that records its outcome. */
export async function endAttempt(
  tx: Tx,
  attempt: Attempt,
  sent: Extract<Sent<unknown>, { kind: 'ok' | 'refused' | 'not_found' }>,
  { now }: { now: Date },
): Promise<void> {
  await tx
    .updateTable('processor_attempts')
    .set({
      outcome: sent.kind,
      code: sent.kind === 'refused' ? sent.code : null,
      message: sent.kind === 'refused' ? sent.message : null,
      ended_at: now,
    })
    .where('subject_id', '=', attempt.subjectId)
    .where('attempt', '=', attempt.attempt)
    .where('outcome', 'is', null)
    .execute()
}

/** Closes an attempt that the processor's object proves successful, because its sender crashed before recording it. */
export async function endAttemptDone(tx: Tx, key: string, { now }: { now: Date }): Promise<void> {
  await tx
    .updateTable('processor_attempts')
    .set({ outcome: 'ok', ended_at: now })
    .where('key', '=', key)
    .where('outcome', 'is', null)
    .execute()
}

/** The key of the subject's open attempt, which has no outcome yet. */
export async function openAttemptKey(db: Reader, subjectId: string): Promise<string | undefined> {
  const open = await db
    .selectFrom('processor_attempts')
    .select('key')
    .where('subject_id', '=', subjectId)
    .where('outcome', 'is', null)
    .executeTakeFirst()
  return open?.key
}

/** Returns false if the attempt has ended: only an open attempt may be sent. */
async function markSent(db: Db, { subjectId, attempt }: Attempt, now: Date): Promise<boolean> {
  const marked = await db.transaction((tx) =>
    tx
      .updateTable('processor_attempts')
      .set({ sent_at: now, tries: sql`tries + 1` })
      .where('subject_id', '=', subjectId)
      .where('attempt', '=', attempt)
      .where('outcome', 'is', null)
      .executeTakeFirst(),
  )
  return marked.numUpdatedRows === 1n
}

async function isUnderWay(db: Db, { subjectId, attempt }: Attempt, now: Date): Promise<boolean> {
  const row = await db.reader
    .selectFrom('processor_attempts')
    .select('sent_at')
    .where('subject_id', '=', subjectId)
    .where('attempt', '=', attempt)
    .executeTakeFirst()
  const sentAt = row?.sent_at?.getTime() ?? Number.NEGATIVE_INFINITY
  return now.getTime() - sentAt < UNDER_WAY_MAX_MS
}

async function note(
  db: Db,
  { subjectId, attempt }: Attempt,
  { cause, isRepeat }: { cause: string; isRepeat: boolean },
): Promise<void> {
  await db.transaction((tx) =>
    tx
      .updateTable('processor_attempts')
      .set({
        repeats: isRepeat ? sql`case when last_cause = ${cause} then repeats + 1 else 1 end` : 0,
        last_cause: cause,
      })
      .where('subject_id', '=', subjectId)
      .where('attempt', '=', attempt)
      .where('outcome', 'is', null)
      .execute(),
  )
}
