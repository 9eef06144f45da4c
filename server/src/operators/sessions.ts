/** Sessions of the desk: a token in a cookie, bound to one operator, ended by time, by idleness or by an operator. */
import { randomBytes } from 'node:crypto'
import type { Config } from '../config.ts'
import { clearCookie, readCookie } from '../kit/cookies.ts'
import type { Db, Tx } from '../kit/db.ts'
import type { OperatorCaller } from '../kit/desk-operation.ts'
import type { Role } from '../kit/rights.ts'
import { sha256 } from '../kit/secrets.ts'

const COOKIE = '__Host-legwork-desk'
/** `seen_at` is written at most this often. */
const SEEN_MS = 60_000
const MINUTE_MS = 60_000
const HOUR_MS = 3_600_000

type Times = Pick<Config, 'DESK_SESSION_HOURS' | 'DESK_IDLE_MINUTES'>

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
    how: 'passkey' | 'oidc' | 'link'
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
