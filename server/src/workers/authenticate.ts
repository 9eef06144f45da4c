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
}

/**
 * Turns a token into its worker. Whether the session still stands is asked every time, so that a new password or a
 * suspension ends it at once; those who ask together are answered by one query.
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

    async find({ workerId, version }: Session): Promise<WorkerCaller | undefined> {
      const row = await lookUps.add(workerId)
      if (row?.session_version !== version) return undefined
      return { id: row.id, mode: row.mode, agentId: row.agent_id }
    },
  }
}

const FIND = `
  select id, mode, agent_id, session_version from workers where id = any($1) and status = 'active'`
