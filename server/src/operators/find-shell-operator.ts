/**
 * The operator on whose behalf a shell command runs: OPERATOR names an active one, by email or id. Until the first
 * operator exists, the commands run under the name of the system user, so that the first one can be added.
 */
import type { Reader } from '../kit/db.ts'
import type { Role } from '../kit/rights.ts'

export interface ShellOperator {
  id: string
  role: Role
}

/** Why there is none is a sentence for the terminal. */
export async function findShellOperator(
  global: Reader,
  { name, systemUser }: { name: string | undefined; systemUser: string },
): Promise<ShellOperator | { refusal: string }> {
  const active = global.selectFrom('operators').where('status', '=', 'active')
  if ((await active.select('id').limit(1).executeTakeFirst()) === undefined)
    return { id: name || systemUser, role: 'admin' }
  if (!name)
    return { refusal: 'Set OPERATOR to your email: every command runs on behalf of an operator' }
  const found = await active
    .select(['id', 'role'])
    .where((where) => where.or([where('id', '=', name), where('email', '=', name.toLowerCase())]))
    .executeTakeFirst()
  if (found === undefined) return { refusal: `${name} is not an active operator` }
  return { id: found.id, role: found.role as Role }
}
