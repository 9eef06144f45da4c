/**
 * List all operators.
 *
 *   called by   an operator with the right `staff`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { OperatorView, showOperators } from './view.ts'

export const listOperators = deskOperation({
  method: 'GET',
  path: '/operators',
  name: 'listOperators',
  right: 'staff',
  summary: 'All operators with their roles',
  success: { status: 200, body: z.object({ operators: z.array(OperatorView) }) },
  errors: [],

  handler: async ({ background: { db } }) => ({
    operators: await showOperators(db.shards.global),
  }),
})
