/** List all operators. */
import { showOperators } from '../operators/view.ts'
import { command } from './command.ts'

export const operators = command({
  name: 'operators',
  takes: '[--json]',
  does: 'list operators with their roles',
  right: 'staff',
  isLook: true,
  run: async ({ db }) => ({ data: { operators: await showOperators(db.shards.global) } }),
})
