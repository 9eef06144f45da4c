/** List the amounts above which a decision needs two operators. */
import { readLimits } from '../decisions/list-limits.ts'
import { command } from './command.ts'

export const limits = command({
  name: 'limits',
  takes: '[--json]',
  does: 'list the amounts above which a decision needs two operators',
  right: 'view',
  isLook: true,
  run: async ({ db }) => ({ data: { limits: await readLimits(db.shards.global.reader) } }),
})
