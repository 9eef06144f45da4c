/** List questions of workers and agents that wait for an answer. */
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { command } from './command.ts'

const SHOWN_MAX = 100

export const questions = command({
  name: 'questions',
  takes: '[--json]',
  does: 'list questions of workers and agents that need an answer, by deadline; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const parts = await readShards(db.shards.readers, openOfShard)
    const order = orderBy<(typeof parts)[number][number]>(
      ({ due_at }) => due_at,
      ({ id }) => id,
    )
    const waiting = mergeSorted(order, parts, SHOWN_MAX)
    return { data: { at: clock.now(), waiting }, isBad: waiting.length > 0 }
  },
})

const openOfShard = (shard: Reader) =>
  shard
    .selectFrom('questions')
    .select([
      'id',
      'worker_id',
      'agent_id',
      'subject',
      'task_id',
      'message_count',
      'waits_since',
      'due_at',
    ])
    .where('status', '=', 'open')
    .orderBy('due_at')
    .orderBy('id')
    .limit(SHOWN_MAX)
    .execute()
