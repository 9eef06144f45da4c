import { type Found, inOrder, moment, nextFact, type Sought, textFact } from './object.ts'

/** A change on its way to a schema of another database: `crossing_`, the schema that has it, and its number. */
export async function findCrossing({ background: { db }, id }: Sought): Promise<Found | undefined> {
  const [, schema, number] = /^crossing_(\w{1,60})_(\d{1,15})$/.exec(id) ?? []
  const home = db.shards.all.find((shard) => shard.schema.name === schema)
  if (home === undefined) return undefined
  const crossing = await home.reader
    .selectFrom('crossings')
    .select(['home', 'call', 'created_at'])
    .where('id', '=', Number(number))
    .executeTakeFirst()
  if (crossing === undefined) return undefined
  return {
    id,
    kind: 'crossing',
    title: `Change for ${crossing.home}`,
    status: 'waiting',
    mode: null,
    facts: [
      nextFact(
        'Nothing to do here: it is repeated until that database can be reached. docs/shards.md says how to restore it.',
      ),
      textFact('From', schema!),
      textFact('For', crossing.home),
      textFact('Call', crossing.call),
    ],
    timeline: inOrder(moment(crossing.created_at, 'Written')),
  }
}
