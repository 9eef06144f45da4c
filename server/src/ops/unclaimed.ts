/** List closed accounts that we still owe money: their owners never added a bank account, or a payout came back. */
import type { Reader } from '../kit/db.ts'
import { mergeSorted, orderBy, readShards } from '../kit/everywhere.ts'
import { command } from './command.ts'

const SHOWN_MAX = 100

export const unclaimed = command({
  name: 'unclaimed',
  takes: '[--json]',
  does: 'list accounts that their owners closed and that we still owe money',
  right: 'view',
  isLook: true,
  async run({ db }) {
    const parts = await readShards(db.shards.readers, unclaimedOfShard)
    const order = orderBy<(typeof parts)[number][number]>(({ closed_at }) => closed_at)
    const accounts = mergeSorted(order, parts, SHOWN_MAX)
    return { data: { accounts } }
  },
})

const unclaimedOfShard = (shard: Reader) =>
  shard
    .selectFrom('workers')
    .innerJoin('ledger_workers', 'ledger_workers.worker_id', 'workers.id')
    .select(['workers.id', 'closed_at', 'payable_cents'])
    .where('closed_at', 'is not', null)
    .where('payable_cents', '>', 0)
    .orderBy('closed_at')
    .limit(SHOWN_MAX)
    .execute()
