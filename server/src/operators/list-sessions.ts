/**
 * List the own sessions.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { listSessionsOf, SessionView } from './sessions.ts'

export const listSessions = deskOperation({
  method: 'GET',
  path: '/sessions',
  name: 'listSessions',
  right: 'session',
  summary: 'Where the operator is signed in',
  success: { status: 200, body: z.object({ sessions: z.array(SessionView) }) },
  errors: [],

  handler: async ({ background: { db, config }, operator, now }) => ({
    sessions: await listSessionsOf(db.shards.global, {
      operatorId: operator.id,
      sessionHash: operator.sessionHash,
      config,
      now,
    }),
  }),
})
