import { batcherByShard } from '../kit/batch-by-shard.ts'
import type { Shards } from '../kit/db.ts'
import type { Mode, WorkerCaller } from '../kit/endpoint.ts'
import type { Session, Tokens } from './tokens.ts'

export type Sessions = ReturnType<typeof openSessions>

interface SessionRow {
  id: string
  mode: Mode
  agent_id: string | null
  session_version: number
  status: 'unverified' | 'active' | 'suspended' | 'closed'
  /** Null if the token names no session, or one that has ended. */
  own_version: number | null
  used_at: Date | null
}

/** How exactly a worker sees when a device was last used. */
const USED_EXACT_MS = 3_600_000

/** The reason that a session ended, if the account was suspended or closed during it. */
export interface ShutOut {
  account_status: 'suspended' | 'closed'
}

/**
 * Resolves a token to its worker. The session is checked on every request, so that a new password or a suspension ends
 * it at once. Concurrent lookups are batched into one query.
 */
export function openSessions(shards: Shards, tokens: Tokens) {
  const lookUps = batcherByShard<Session, SessionRow | undefined>({
    name: 'worker_sessions',
    async run(db, sessions) {
      const rows = await db.call<SessionRow & { place: number }>('find_worker_sessions', FIND, [
        sessions.map(({ workerId }) => workerId),
        sessions.map(({ sessionId }) => sessionId ?? null),
      ])
      return sessions.map((_, i) => rows.find(({ place }) => place === i + 1))
    },
  })
  return {
    read: (token: string, now: Date) => tokens.read(token, now),

    async find(session: Session, now: Date): Promise<WorkerCaller | ShutOut | undefined> {
      const { sessionId } = session
      const db = shards.at(session.workerId)
      const row = await lookUps.add(db, session)
      if (row === undefined) return undefined
      const { session_version, status, used_at } = row
      const version = sessionId === undefined ? session.version : row.own_version
      // Suspending or closing an account raises the version by one.
      if ((status === 'suspended' || status === 'closed') && version === session_version - 1)
        return { account_status: status }
      if (status !== 'active' || session_version !== version) return undefined
      if (used_at !== null && used_at.getTime() <= now.getTime() - USED_EXACT_MS)
        await db.call('touch_worker_session', TOUCH, [sessionId, now])
      return { id: row.id, mode: row.mode, agentId: row.agent_id, sessionId }
    },
  }
}

const FIND = `
  select k.place::integer as place, w.id, w.mode, w.agent_id, w.session_version, w.status,
         s.session_version as own_version, s.used_at
    from unnest($1::text[], $2::text[]) with ordinality as k (worker_id, session_id, place)
    join workers w on w.id = k.worker_id
    left join worker_sessions s on s.id = k.session_id and s.worker_id = w.id`

const TOUCH = `update worker_sessions set used_at = $2 where id = $1 and used_at < $2`
