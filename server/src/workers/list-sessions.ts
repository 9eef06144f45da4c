/**
 * List the devices on which the worker is logged in.
 *
 *   called by   a worker
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import type { Reader } from '../kit/db.ts'
import { endpoint } from '../kit/endpoint.ts'
import { named } from '../kit/named.ts'
import type { SessionRow } from './sessions.ts'

const SessionView = named(
  'WorkerSession',
  z.object({
    id: z.string(),
    browser: z.string().nullable().describe('Such as `Chrome`; null if unknown'),
    system: z.string().nullable().describe('Such as `Android`; null if unknown'),
    created_at: z.string().describe('When the worker logged in'),
    used_at: z.string().describe('Last use, accurate to the hour'),
    expires_at: z.string(),
    is_current: z.boolean().describe('The session of this request'),
  }),
)

export const listSessions = endpoint({
  method: 'GET',
  path: '/worker/sessions',
  name: 'listWorkerSessions',
  auth: 'worker',
  summary: 'List the devices on which you are logged in',
  description:
    'The most recently used first. We don’t store IP addresses or locations of sessions.',
  success: { status: 200, body: z.object({ sessions: z.array(SessionView) }) },
  errors: [],

  async handler({ db, worker, now }) {
    const rows = await standingSessions(db, { workerId: worker.id, now })
    return {
      sessions: rows.map((row) => ({
        id: row.id,
        browser: row.browser,
        system: row.system,
        created_at: row.created_at.toISOString(),
        used_at: row.used_at.toISOString(),
        expires_at: row.expires_at.toISOString(),
        is_current: row.id === worker.sessionId,
      })),
    }
  },
})

const standingSessions = (
  db: Reader,
  { workerId, now }: { workerId: string; now: Date },
): Promise<SessionRow[]> =>
  db
    .selectFrom('worker_sessions')
    .innerJoin('workers', 'workers.id', 'worker_sessions.worker_id')
    .selectAll('worker_sessions')
    .where('worker_sessions.worker_id', '=', workerId)
    .whereRef('worker_sessions.session_version', '=', 'workers.session_version')
    .where('worker_sessions.expires_at', '>', now)
    .orderBy('worker_sessions.used_at', 'desc')
    .orderBy('worker_sessions.id', 'desc')
    .execute()
