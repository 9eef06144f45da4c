/** The operator whom a command is about, by email or id. */
import type { OperatorBackground } from '../kit/operator-background.ts'
import { CommandRefused, named } from './command.ts'

export async function findOperator(
  { db }: OperatorBackground,
  word: string | undefined,
): Promise<string> {
  const name = named(word, 'the email of an operator')
  const found = await db.shards.global.reader
    .selectFrom('operators')
    .select('id')
    .where((where) => where.or([where('id', '=', name), where('email', '=', name.toLowerCase())]))
    .executeTakeFirst()
  if (found === undefined) throw new CommandRefused(`${name} is not an operator`)
  return found.id
}
