/**
 * The sessions of a worker, one row per login. A token names its session, so that a single device can be logged out;
 * tokens of test-mode workers have none.
 */
import { type Selectable, sql } from 'kysely'
import type { Reader, Tx } from '../kit/db.ts'
import type { TokenCaller } from '../kit/endpoint.ts'
import { mintId, shardOf } from '../kit/ids.ts'
import type { Schema } from '../kit/schema.ts'
import { deviceOf } from './device-words.ts'
import { byId, type Worker } from './queries.ts'
import type { Tokens } from './tokens.ts'

export type SessionRow = Selectable<Schema['worker_sessions']>

/** More devices than anybody has. The ones unused for longest are logged out. */
const SESSIONS_MAX = 50

/** Signs a token for a new session, and stores the session. */
export async function startSession(
  tx: Tx,
  {
    worker,
    tokens,
    userAgent,
    now,
  }: { worker: Worker; tokens: Tokens; userAgent: string | undefined; now: Date },
): Promise<{ token: string; expiresAt: Date }> {
  const { id: workerId, session_version: version } = worker
  const sessionId = mintId('wss', now, shardOf(workerId))
  const { token, expiresAt } = await tokens.sign({ workerId, version, sessionId }, now)
  await tx
    .insertInto('worker_sessions')
    .values({
      id: sessionId,
      worker_id: workerId,
      session_version: version,
      ...deviceOf(userAgent),
      created_at: now,
      used_at: now,
      expires_at: expiresAt,
    })
    .execute()
  await tx
    .deleteFrom('worker_sessions')
    .where('worker_id', '=', workerId)
    .where((where) =>
      where.or([
        where('expires_at', '<=', now),
        where('id', 'not in', (newest) =>
          newest
            .selectFrom('worker_sessions')
            .select('id')
            .where('worker_id', '=', workerId)
            .orderBy('used_at', 'desc')
            .orderBy('id', 'desc')
            .limit(SESSIONS_MAX),
        ),
      ]),
    )
    .execute()
  return { token, expiresAt }
}

/** The worker of a token; undefined if the session has ended. Also works before the email is verified. */
export async function standingWorker(
  db: Reader,
  { workerId, version, sessionId }: TokenCaller,
): Promise<Worker | undefined> {
  const worker = await byId(db, workerId)
  if (worker?.status !== 'active' && worker?.status !== 'unverified') return undefined
  const own =
    sessionId === undefined
      ? version
      : (await findSession(db, { workerId, sessionId }))?.session_version
  return own === worker.session_version ? worker : undefined
}

const findSession = (
  db: Reader,
  { workerId, sessionId }: { workerId: string; sessionId: string },
): Promise<SessionRow | undefined> =>
  db
    .selectFrom('worker_sessions')
    .selectAll()
    .where('id', '=', sessionId)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()

/** Logs one device out and stops its notifications. Returns false if the worker has no such session. */
export async function endOneSession(
  tx: Tx,
  { workerId, sessionId }: { workerId: string; sessionId: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('worker_sessions')
    .where('id', '=', sessionId)
    .where('worker_id', '=', workerId)
    .executeTakeFirst()
  await tx
    .deleteFrom('push_subscriptions')
    .where('worker_id', '=', workerId)
    .where('session_id', '=', sessionId)
    .execute()
  return numDeletedRows > 0n
}

/**
 * Ends every session except the given one, and with it the notifications on those devices. Raising the version also
 * ends tokens that have no row.
 */
export async function endSessionsExcept(
  tx: Tx,
  { workerId, sessionId, now }: { workerId: string; sessionId: string | undefined; now: Date },
): Promise<void> {
  const { session_version } = await tx
    .updateTable('workers')
    .set({ session_version: sql`session_version + 1`, updated_at: now })
    .where('id', '=', workerId)
    .returning('session_version')
    .executeTakeFirstOrThrow()
  await tx
    .deleteFrom('worker_sessions')
    .where('worker_id', '=', workerId)
    .where('id', '<>', sessionId ?? '')
    .execute()
  if (sessionId === undefined) return
  await tx
    .updateTable('worker_sessions')
    .set({ session_version })
    .where('id', '=', sessionId)
    .where('worker_id', '=', workerId)
    .execute()
  await tx
    .updateTable('push_subscriptions')
    .set({ session_version })
    .where('worker_id', '=', workerId)
    .where('session_id', '=', sessionId)
    .execute()
}
