/**
 * List the own passkeys.
 *
 *   called by   the desk
 *   moves       nothing
 *   money       none
 *   event       none
 */
import { z } from 'zod'
import { deskOperation } from '../kit/desk-operation.ts'
import { named } from '../kit/named.ts'

const PasskeyView = named(
  'DeskPasskey',
  z.object({
    id: z.string(),
    name: z.string(),
    created_at: z.string(),
    used_at: z.string().nullable(),
  }),
)

export const listPasskeys = deskOperation({
  method: 'GET',
  path: '/passkeys',
  name: 'listPasskeys',
  right: 'session',
  summary: 'The own passkeys',
  success: { status: 200, body: z.object({ passkeys: z.array(PasskeyView) }) },
  errors: [],

  async handler({ background: { db }, operator }) {
    const rows = await db.shards.global.reader
      .selectFrom('operator_passkeys')
      .select(['credential_id as id', 'name', 'created_at', 'used_at'])
      .where('operator_id', '=', operator.id)
      .orderBy('created_at')
      .execute()
    return {
      passkeys: rows.map(({ created_at, used_at, ...rest }) => ({
        ...rest,
        created_at: created_at.toISOString(),
        used_at: used_at?.toISOString() ?? null,
      })),
    }
  },
})
