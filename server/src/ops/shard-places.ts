/** What the commands that move a schema between databases need: where it can be, and how it is made there. */
import type { OperatorBackground } from '../kit/operator-background.ts'
import { ownedDatabasesOf } from '../kit/databases.ts'
import type { HomeSchema } from '../kit/layout.ts'
import { MoveRefused, type Place } from '../shards/move-place.ts'
import { findMove, type Move } from '../shards/move-schema.ts'
import { CommandRefused, named } from './command.ts'

/** The schema that the command names, if it can be moved. */
export function movableSchema({ db }: OperatorBackground, word: string | undefined): HomeSchema {
  const name = named(word, 'the name of a schema, such as s05')
  const schema = db.shards.all.find((one) => one.schema.name === name)?.schema
  if (schema === undefined) throw new CommandRefused(`No schema of shards is named ${name}`)
  if (schema.name === 'public')
    throw new CommandRefused('A market with one schema has nothing to move: docs/shards.md')
  return schema
}

/** The move of the named schema that is under way. */
export async function currentOrder(
  background: OperatorBackground,
  word: string | undefined,
): Promise<Move> {
  const schema = movableSchema(background, word)
  const move = await refusing(findMove(ownedDatabasesOf(background.config), schema.name))
  if (move === undefined) throw new CommandRefused(`No move of ${schema.name} is under way`)
  return orderOf(background, schema, move)
}

/** Prints progress as it happens, because a move can take hours. */
export function orderOf(
  { config, addSchema }: OperatorBackground,
  schema: HomeSchema,
  { source, target }: { source: Place; target: Place },
): Move {
  return {
    schema,
    source,
    target,
    main: ownedDatabasesOf(config)[0],
    async addSchema(url) {
      if (addSchema === undefined) throw new Error('this process can’t make a schema')
      await addSchema(url, { ...schema, database: target.name })
    },
    onProgress: (line) => process.stderr.write(`${line}\n`),
  }
}

export async function refusing<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (error instanceof MoveRefused) throw new CommandRefused(error.message)
    throw error
  }
}
