/**
 * List the sessions of an operator.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { listSessionsOf, SessionView } from './sessions.ts'
import { OperatorId } from './view.ts'

export const listSessionsOfOperator = deskOperation({
  method: 'GET',
  path: '/operators/:id/sessions',
  name: 'listSessionsOfOperator',
  right: 'staff',
  summary: 'Where an operator is signed in',
  params: z.object({ id: OperatorId }),
  success: { status: 200, body: z.object({ sessions: z.array(SessionView) }) },
  errors: [],

  handler: async ({ background: { db, config }, params: { id }, operator, now }) => ({
    sessions: await listSessionsOf(db.shards.global, {
      operatorId: id,
      sessionHash: operator.sessionHash,
      config,
      now,
    }),
  }),
})
