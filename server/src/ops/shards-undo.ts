/** Undo the move of a schema: before the switch by removing the copy, after it by switching back. */
import { undoMove } from '../shards/move-schema.ts'
import { command } from './command.ts'
import { currentOrder, refusing } from './shard-places.ts'

export const shardsUndo = command({
  name: 'shards undo',
  takes: 'SCHEMA',
  does: 'undo the move of a schema, before or after the switch, until it is finished',
  right: 'operate',
  async run(background, { words: [word] }) {
    const order = await currentOrder(background, word)
    const { pauseMs } = await refusing(undoMove(order))
    const { schema, source, target } = order
    return {
      data: {
        schema: schema.name,
        in: source.name,
        removed_from: target.name,
        pause_ms: pauseMs && Math.round(pauseMs),
      },
    }
  },
})
