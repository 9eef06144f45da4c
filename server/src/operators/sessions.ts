/** Sessions of the desk: a token in a cookie, bound to one operator, ended by time, by idleness or by an operator. */
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { Config } from '../config.ts'
import { clearCookie, readCookie } from '../kit/cookies.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { OperatorCaller } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'
import type { Role } from '../kit/rights.ts'
import { sha256 } from '../kit/secrets.ts'
import { appendAudit } from './audit.ts'
import { signInAgain } from './errors.ts'

const COOKIE = '__Host-legwork-desk'
/** `seen_at` is written at most this often. */
const SEEN_MS = 60_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000
const SESSION_ID_LENGTH = 16

type Times = Pick<Config, 'DESK_SESSION_HOURS' | 'DESK_IDLE_MINUTES'>

export type How = 'passkey' | 'oidc' | 'link'

/**
 * Signs an operator in, unless the account is disabled. The account's row is locked, so a session never begins after
 * the account was disabled. A session that the browser has already ends.
 */
export async function signInOperator(
  tx: Tx,
  {
    operatorId,
    how,
    device,
    cookies,
    config,
    now,
  }: {
    operatorId: string
    how: How
    device: string
    cookies: string | undefined
    config: Times
    now: Date
  },
): Promise<{ cookie: string; role: Role } | undefined> {
  const operator = await tx
    .selectFrom('operators')
    .select(['role', 'status'])
    .where('id', '=', operatorId)
    .forUpdate()
    .executeTakeFirst()
  if (operator === undefined) return undefined
  const by = { id: operatorId, role: operator.role }
  if (operator.status === 'disabled') {
    await appendAudit(
      tx,
      { operator: by, action: 'session.refuse', subject: operatorId, detail: { how } },
      { now },
    )
    return undefined
  }
  if (operator.status === 'invited')
    await tx
      .updateTable('operators')
      .set({ status: 'active' })
      .where('id', '=', operatorId)
      .execute()
  const old = readDeskCookie(cookies)
  if (old !== undefined) await endSessions(tx, { sessionHash: sha256(old) })
  const cookie = await beginSession(tx, { operatorId, how, device, config, now })
  await appendAudit(
    tx,
    { operator: by, action: 'session.begin', subject: operatorId, detail: { how } },
    { now },
  )
  return { cookie, role: operator.role }
}

/** Begins a session and returns its cookie. Strict: no link from elsewhere opens the desk with a session. */
export async function beginSession(
  tx: Tx,
  {
    operatorId,
    how,
    device,
    config,
    now,
  }: {
    operatorId: string
    how: How
    device: string
    config: Times
    now: Date
  },
): Promise<string> {
  const token = randomBytes(32).toString('base64url')
  await tx
    .insertInto('operator_sessions')
    .values({
      token_hash: sha256(token),
      operator_id: operatorId,
      how,
      device,
      created_at: now,
      seen_at: now,
      expires_at: new Date(now.getTime() + config.DESK_SESSION_HOURS * HOUR_MS),
    })
    .execute()
  const seconds = config.DESK_SESSION_HOURS * 3600
  return `${COOKIE}=${token}; Path=/; Secure; HttpOnly; SameSite=Strict; Max-Age=${seconds}`
}

export const endedCookie = () => clearCookie(COOKIE)

export const readDeskCookie = (header: string | undefined) => readCookie(COOKIE, header)

/** Finds the operator of a session that hasn't ended. */
export async function findSession(
  db: Db,
  { token, config, now }: { token: string; config: Times; now: Date },
): Promise<OperatorCaller | undefined> {
  const sessionHash = sha256(token)
  const found = await db.reader
    .selectFrom('operator_sessions')
    .innerJoin('operators', 'operators.id', 'operator_sessions.operator_id')
    .select(['operators.id', 'operators.name', 'operators.email', 'operators.role'])
    .select('operator_sessions.seen_at')
    .where('token_hash', '=', sessionHash)
    .where('operators.status', '=', 'active')
    .where('expires_at', '>', now)
    .where('seen_at', '>', new Date(now.getTime() - config.DESK_IDLE_MINUTES * MINUTE_MS))
    .executeTakeFirst()
  if (found === undefined) return undefined
  const { seen_at, role, ...operator } = found
  if (seen_at.getTime() < now.getTime() - SEEN_MS)
    await db.transaction((tx) =>
      tx
        .updateTable('operator_sessions')
        .set({ seen_at: now })
        .where('token_hash', '=', sessionHash)
        .execute(),
    )
  return { ...operator, role: role as Role, sessionHash }
}

/** How long after signing in an operator may change how to sign in: a desk that was left open must not be enough. */
const RECENT_MS = 10 * MINUTE_MS

export async function requireRecentSignIn(
  db: Db,
  { sessionHash, now }: { sessionHash: string; now: Date },
): Promise<void> {
  const recent = await db.reader
    .selectFrom('operator_sessions')
    .select('token_hash')
    .where('token_hash', '=', sessionHash)
    .where('created_at', '>', new Date(now.getTime() - RECENT_MS))
    .executeTakeFirst()
  if (recent === undefined) throw signInAgain()
}

/** A session as a person sees it. Its id is the beginning of a hash, from which the token can't be found. */
export const SessionView = named(
  'DeskSession',
  z.object({
    id: z.string(),
    how: z.enum(['passkey', 'oidc', 'link']),
    device: z.string(),
    created_at: z.string(),
    seen_at: z.string(),
    is_own: z.boolean(),
  }),
)

export const SessionId = z.string().regex(/^[0-9a-f]{16}$/, 'is not the id of a session')

export async function listSessionsOf(
  db: Db,
  {
    operatorId,
    sessionHash,
    config,
    now,
  }: { operatorId: string; sessionHash: string; config: Times; now: Date },
): Promise<z.input<typeof SessionView>[]> {
  const rows = await db.reader
    .selectFrom('operator_sessions')
    .select(['token_hash', 'how', 'device', 'created_at', 'seen_at'])
    .where('operator_id', '=', operatorId)
    .where('expires_at', '>', now)
    .where('seen_at', '>', new Date(now.getTime() - config.DESK_IDLE_MINUTES * MINUTE_MS))
    .orderBy('seen_at', 'desc')
    .execute()
  return rows.map(({ token_hash, how, device, created_at, seen_at }) => ({
    id: token_hash.slice(0, SESSION_ID_LENGTH),
    how,
    device,
    created_at: created_at.toISOString(),
    seen_at: seen_at.toISOString(),
    is_own: token_hash === sessionHash,
  }))
}

/** Ends one session of an operator, by the id that the list has. Returns whether there was one. */
export async function endSessionOf(
  tx: Tx,
  { operatorId, id }: { operatorId: string; id: string },
): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('operator_sessions')
    .where('operator_id', '=', operatorId)
    .where((where) =>
      where(where.fn('left', ['token_hash', where.lit(SESSION_ID_LENGTH)]), '=', id),
    )
    .executeTakeFirst()
  return numDeletedRows > 0n
}

/** Ends one session, or all of an operator. */
export async function endSessions(
  tx: Tx,
  by: { sessionHash: string } | { operatorId: string },
): Promise<void> {
  const sessions = tx.deleteFrom('operator_sessions')
  await ('sessionHash' in by
    ? sessions.where('token_hash', '=', by.sessionHash)
    : sessions.where('operator_id', '=', by.operatorId)
  ).execute()
}
