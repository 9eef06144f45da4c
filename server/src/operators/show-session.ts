/**
 * Say who is signed in to the desk, and what the role allows.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { rightsOf, RIGHTS, ROLES, type Right } from '../kit/rights.ts'

const RIGHT_NAMES = Object.keys(RIGHTS) as [Right, ...Right[]]

export const showSession = deskOperation({
  method: 'GET',
  path: '/session',
  name: 'showSession',
  right: 'session',
  summary: 'The operator who is signed in',
  success: {
    status: 200,
    body: z.object({
      operator: z.object({
        id: z.string(),
        name: z.string(),
        email: z.string(),
        role: z.enum(ROLES),
      }),
      rights: z.array(z.enum(RIGHT_NAMES)),
      idle_minutes: z.int(),
    }),
  },
  errors: [],

  async handler({ operator: { id, name, email, role }, background }) {
    return {
      operator: { id, name, email, role },
      rights: [...rightsOf(role)],
      idle_minutes: background.config.DESK_IDLE_MINUTES,
    }
  },
})
