/** An operator as colleagues who manage accounts see it. */
import { sql } from 'kysely'
import { z } from 'zod'
import type { Db, Reader } from '../kit/db.ts'
import { named } from '../kit/named.ts'
import { RIGHTS, type Role, ROLES, rightsOf } from '../kit/rights.ts'
import { operatorNotFound } from './errors.ts'

export const OperatorId = z.string().regex(/^opr_[0-9a-z]+$/, 'is not the id of an operator')

export const OperatorView = named(
  'DeskOperator',
  z.object({
    id: z.string(),
    name: z.string(),
    email: z.string(),
    role: z.enum(ROLES),
    status: z.enum(['invited', 'active', 'disabled']),
    created_at: z.string(),
    disabled_at: z.string().nullable(),
    passkeys: z.int(),
    has_company_account: z.boolean(),
    sessions: z.int(),
    seen_at: z.string().nullable(),
  }),
)

/** The rights of a role in words. */
export const mayOf = (role: Role): string[] => rightsOf(role).map((right) => RIGHTS[right])

export const RoleView = named(
  'DeskRole',
  z.object({ role: z.enum(ROLES), may: z.array(z.string()) }),
)

export async function showOperator(db: Db, id: string): Promise<z.input<typeof OperatorView>> {
  const row = await rowsOf(db.reader).where('operators.id', '=', id).executeTakeFirst()
  if (row === undefined) throw operatorNotFound()
  return viewOf(row)
}

export async function showOperators(db: Db): Promise<z.input<typeof OperatorView>[]> {
  const rows = await rowsOf(db.reader).orderBy('operators.name').orderBy('operators.id').execute()
  return rows.map(viewOf)
}

const rowsOf = (db: Reader) =>
  db
    .selectFrom('operators')
    .select(['id', 'name', 'email', 'role', 'status', 'created_at', 'disabled_at'])
    .select([
      sql<boolean>`oidc_subject is not null`.as('has_company_account'),
      sql<number>`(select count(*)::int from operator_passkeys p where p.operator_id = operators.id)`.as(
        'passkeys',
      ),
      sql<number>`(select count(*)::int from operator_sessions s where s.operator_id = operators.id)`.as(
        'sessions',
      ),
      // Ended sessions are deleted; a passkey remembers when it was last used.
      sql<Date | null>`greatest(
        (select max(seen_at) from operator_sessions s where s.operator_id = operators.id),
        (select max(used_at) from operator_passkeys p where p.operator_id = operators.id))`.as(
        'seen_at',
      ),
    ])

const viewOf = ({
  created_at,
  disabled_at,
  seen_at,
  ...rest
}: Awaited<ReturnType<ReturnType<typeof rowsOf>['execute']>>[number]) => ({
  ...rest,
  created_at: created_at.toISOString(),
  disabled_at: disabled_at?.toISOString() ?? null,
  seen_at: seen_at?.toISOString() ?? null,
})
