/** The administrator of a marketplace on this machine, who opens the operators' desk with a printed link. */
import type { Config } from '../server/src/config.ts'
import type { Db } from '../server/src/kit/db.ts'
import { inviteOperator } from '../server/src/operators/add-operator.ts'
import { linkTo, mintLink } from '../server/src/operators/links.ts'

const SHELL = { id: 'npm run', role: 'admin' } as const
export const ADMIN_EMAIL = 'admin@example.com'

/** A link that signs in once; the session lasts for hours, also over a restart. */
export async function linkToDesk(
  db: Db,
  { config, now }: { config: Config; now: Date },
): Promise<string> {
  const token = await db.shards.global.transaction(async (tx) => {
    const known = await tx
      .selectFrom('operators')
      .select('id')
      .where('email', '=', ADMIN_EMAIL)
      .executeTakeFirst()
    const operatorId =
      known?.id ??
      (await inviteOperator(tx, {
        email: ADMIN_EMAIL,
        name: 'Local admin',
        role: 'admin',
        by: SHELL,
        now,
      }))
    return mintLink(tx, { operatorId, purpose: 'sign_in', by: SHELL, now })
  })
  return linkTo(config, 'sign_in', token)
}
