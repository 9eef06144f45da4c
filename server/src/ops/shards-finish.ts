/** Finish the move of a schema: removes the old one. From then on, the move can't be undone. */
import { finishMove } from '../shards/move-schema.ts'
import { command } from './command.ts'
import { currentOrder, refusing } from './shard-places.ts'

export const shardsFinish = command({
  name: 'shards finish',
  takes: 'SCHEMA',
  does: 'after a move: remove the old schema; there is no undo',
  right: 'operate',
  async run(background, { words: [word] }) {
    const order = await currentOrder(background, word)
    await refusing(finishMove(order))
    const { schema, source, target } = order
    return { data: { schema: schema.name, in: target.name, removed_from: source.name } }
  },
})
