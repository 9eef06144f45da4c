import { batcher } from '../kit/batch.ts'
import type { Db } from '../kit/db.ts'
import type { Mode, WorkerCaller } from '../kit/endpoint.ts'
import type { Session, Tokens } from './tokens.ts'

export type Sessions = ReturnType<typeof openSessions>

interface SessionRow {
  id: string
  mode: Mode
  agent_id: string | null
  session_version: number
  status: 'unverified' | 'active' | 'suspended' | 'closed'
}

/** The reason that a session ended, if the account was suspended or closed during it. */
export interface ShutOut {
  account_status: 'suspended' | 'closed'
}

/**
 * Resolves a token to its worker. The session is checked on every request, so that a new password or a suspension ends
 * it at once. Concurrent lookups are batched into one query.
 */
export function openSessions(db: Db, tokens: Tokens) {
  const lookUps = batcher<string, SessionRow | undefined>({
    async run(workerIds) {
      const rows = await db.call<SessionRow & Record<string, unknown>>('find_sessions', FIND, [
        workerIds,
      ])
      return workerIds.map((id) => rows.find((row) => row.id === id))
    },
  })
  return {
    read: (token: string, now: Date) => tokens.read(token, now),

    async find({ workerId, version }: Session): Promise<WorkerCaller | ShutOut | undefined> {
      const row = await lookUps.add(workerId)
      if (row === undefined) return undefined
      const { session_version, status } = row
      // Suspending or closing an account raises the version by one.
      if ((status === 'suspended' || status === 'closed') && version === session_version - 1)
        return { account_status: status }
      if (status !== 'active' || session_version !== version) return undefined
      return { id: row.id, mode: row.mode, agentId: row.agent_id }
    },
  }
}

const FIND = `
  select id, mode, agent_id, session_version, status from workers where id = any($1)`
