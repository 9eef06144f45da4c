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
import { ROLES } from '../kit/rights.ts'
import { mayOf, OperatorView, RoleView, showOperators } from './view.ts'

export const listOperators = deskOperation({
  method: 'GET',
  path: '/operators',
  name: 'listOperators',
  right: 'staff',
  summary: 'All operators, and what each role may do',
  success: {
    status: 200,
    body: z.object({ operators: z.array(OperatorView), roles: z.array(RoleView) }),
  },
  errors: [],

  handler: async ({ background: { db } }) => ({
    operators: await showOperators(db.shards.global),
    roles: ROLES.map((role) => ({ role, may: mayOf(role) })),
  }),
})
