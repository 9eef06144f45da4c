/** Move a schema to another database while it is used. Run again after an interruption, it continues. */
import { sql } from 'kysely'
import { ownedDatabasesOf } from '../kit/databases.ts'
import type { Reader } from '../kit/db.ts'
import { findMove, moveSchema } from '../shards/move-schema.ts'
import { command, CommandRefused, named } from './command.ts'
import { movableSchema, orderOf, refusing } from './shard-places.ts'

export const shardsMove = command({
  name: 'shards move',
  takes: 'SCHEMA DATABASE',
  does: 'move a schema to another database while it is used',
  right: 'operate',
  async run(background, { words: [word, to] }) {
    const schema = movableSchema(background, word)
    const places = ownedDatabasesOf(background.config)
    const name = named(to, 'the name of a database: main, or one of DATABASES')
    const target = places.find((place) => place.name === name)
    if (target === undefined) throw new CommandRefused(`No database is named ${name}`)
    const current = await refusing(findMove(places, schema.name))
    const from = current?.source.name ?? (await readPlace(background.db.reader, schema.name))
    const source = places.find((place) => place.name === from)
    if (source === undefined) throw new CommandRefused(`DATABASES does not name ${from}`)
    const order = orderOf(background, schema, { source, target })
    const { pauseMs, tables } = await refusing(moveSchema(order))
    return {
      data: {
        schema: schema.name,
        from,
        to: name,
        tables,
        pause_ms: pauseMs && Math.round(pauseMs),
      },
    }
  },
})

async function readPlace(reader: Reader, schema: string): Promise<string> {
  const { rows } = await sql<{
    database: string
  }>`select database from public.shards where schema = ${schema}`.execute(reader)
  return rows[0]!.database
}
