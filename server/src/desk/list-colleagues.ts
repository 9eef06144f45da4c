/**
 * List the operators to whom a case can be handed over.
 *
 *   called by   an operator with the right `note`
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { hasRight, type Role, ROLES } from '../kit/rights.ts'

export const listColleagues = deskOperation({
  method: 'GET',
  path: '/colleagues',
  name: 'listColleagues',
  right: 'note',
  summary: 'Operators who can take a case',
  success: {
    status: 200,
    body: z.object({
      operators: z.array(z.object({ id: z.string(), name: z.string(), role: z.enum(ROLES) })),
    }),
  },
  errors: [],

  async handler({ background }) {
    const rows = await background.db.shards.global.reader
      .selectFrom('operators')
      .select(['id', 'name', 'role'])
      .where('status', '=', 'active')
      .orderBy('name')
      .execute()
    const operators = rows.map(({ role, ...row }) => ({ ...row, role: role as Role }))
    return { operators: operators.filter(({ role }) => hasRight(role, 'note')) }
  },
})
