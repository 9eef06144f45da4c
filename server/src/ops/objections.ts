/** List the objections of suspended and closed workers that wait for a reply. */
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { command } from './command.ts'

const SHOWN_MAX = 100

export const objections = command({
  name: 'objections',
  takes: '[--json]',
  does: 'list workers’ objections that need a reply, by deadline; exit 1 if there are any',
  right: 'view',
  isLook: true,
  async run({ db, clock }) {
    const parts = await readShards(db.shards.readers, waitingOfShard)
    const order = orderBy<(typeof parts)[number][number]>(({ reply_due_at }) => reply_due_at)
    const waiting = mergeSorted(order, parts, SHOWN_MAX)
    return { data: { at: clock.now(), waiting }, isBad: waiting.length > 0 }
  },
})

const waitingOfShard = (shard: Reader) =>
  shard
    .selectFrom('worker_decisions')
    .select(['id', 'worker_id', 'kind', 'reason', 'task_ids', 'decided_by', 'decided_at'])
    .select(['ends_at', 'objection', 'objected_at', 'reply_due_at'])
    .where('objection', 'is not', null)
    .where('reply', 'is', null)
    .where('ended_at', 'is', null)
    .orderBy('reply_due_at')
    .limit(SHOWN_MAX)
    .execute()
