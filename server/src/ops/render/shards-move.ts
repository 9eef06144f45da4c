import type { DataOf } from '../command.ts'
import type { shardsFinish } from '../shards-finish.ts'
import type { shardsMove } from '../shards-move.ts'
import type { shardsUndo } from '../shards-undo.ts'

export const renderShardsMove = ({
  schema,
  from,
  to,
  tables,
  pause_ms,
}: DataOf<typeof shardsMove>): string[] => [
  `${schema} is in ${to}: ${tables} tables${shownPause(pause_ms)}. In ${from}, the old schema follows`,
  `next: ops shards finish ${schema} if all is well, or ops shards undo ${schema}`,
]

export const renderShardsUndo = ({
  schema,
  removed_from,
  pause_ms,
  ...data
}: DataOf<typeof shardsUndo>): string[] => [
  `${schema} is in ${data.in}${shownPause(pause_ms)}. Its copy in ${removed_from} is removed`,
]

export const renderShardsFinish = ({
  schema,
  removed_from,
  ...data
}: DataOf<typeof shardsFinish>): string[] => [
  `${schema} is in ${data.in}. The old schema in ${removed_from} is removed`,
]

const shownPause = (ms: number | null) => (ms === null ? '' : `, ${ms} ms without writes`)
