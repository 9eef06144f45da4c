/** Finish the move of a schema: removes the old one. From then on, the move can't be undone. */
import { finishMove } from '../shards/move-schema.ts'
import { command } from './command.ts'
import { currentMove, movableSchema, orderOf, refusing } from './shard-places.ts'

export const shardsFinish = command({
  name: 'shards finish',
  takes: 'SCHEMA',
  does: 'after a move: remove the old schema; there is no undo',
  async run(background, { words: [word] }) {
    const schema = movableSchema(background, word)
    const { source, target } = await currentMove(background, schema)
    await refusing(finishMove(orderOf(background, schema, { source, target })))
    return { data: { schema: schema.name, in: target.name, removed_from: source.name } }
  },
})
